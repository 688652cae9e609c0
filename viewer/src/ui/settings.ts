// The panel that says what is shown, and how.

import type { Model } from "../run/frame";
import type { ColourMode } from "../view/run_view";
import { VIEW_DIRECTIONS } from "../view/stage";
import { h } from "./dom";

export interface Settings {
  colour: ColourMode;
  contacts: boolean;
  dots: boolean;
  arrows: boolean;
  arrow_scale: number;
  contact_colour: "state" | "force";
  filter: number | null;
  thicken: number;
  grid: boolean;
  fade: boolean;
  structure: boolean;
  strain: boolean;
  wireframe: boolean;
}

export function default_settings(): Settings {
  return { colour: "natural", contacts: false, dots: true, arrows: true, arrow_scale: 1, contact_colour: "state", filter: null, thicken: 1, grid: true, fade: false, structure: true, strain: false, wireframe: false };
}

export const COLOURS: [ColourMode, string][] = [["natural", "natural"], ["id", "strand"], ["speed", "speed"], ["curvature", "curvature"], ["contact", "contact force"]];

export class SettingsPanel {
  readonly element = h("div", { class: "settings" });
  /** Room for controls of a mode, as the friction of a live run. */
  readonly extra = h("div", {});
  private filter: HTMLSelectElement;
  private of_strands: HTMLElement;
  private of_structure: HTMLElement;
  private of_meshes: HTMLElement;
  private controls = new Map<keyof Settings, HTMLInputElement | HTMLSelectElement>();

  constructor(private settings: Settings, private actions: { change(): void; look(direction: [number, number, number]): void }) {
    const colour = h("div", { class: "choice", role: "radiogroup", "aria-label": "Colour strands by" });
    for (const [value, label] of COLOURS)
      colour.append(h("label", {}, h("input", { type: "radio", name: "colour", value, onchange: () => this.set("colour", value) }), h("span", {}, label)));
    this.filter = h("select", { id: "filter", onchange: () => this.set("filter", this.filter.value === "" ? null : Number(this.filter.value)) });
    const looks = h("div", { class: "looks" });
    for (const [name, direction] of Object.entries(VIEW_DIRECTIONS)) looks.append(h("button", { type: "button", onclick: () => actions.look(direction) }, name));
    this.of_strands = h("div", { class: "settings", id: "of_strands" },
      h("h3", {}, "Colour strands by"), colour, h("h3", {}, "Strands"), this.slider("thicken", "width", 0, 5, 0.1), this.check("fade", "see through"));
    this.of_structure = h("div", { class: "settings", id: "of_structure" }, h("h3", {}, "Surfaces"), this.check("structure", "lines along the structure"));
    this.of_meshes = h("div", { class: "settings", id: "of_meshes" }, h("h3", {}, "Soft bodies"), this.check("strain", "colour by strain"), this.check("wireframe", "lines of the mesh"));
    this.element.append(
      this.extra, this.of_strands, this.of_meshes, this.of_structure,
      h("h3", {}, "Contacts"), this.check("contacts", "show contacts"), this.check("dots", "points"), this.check("arrows", "force arrows"),
      this.slider("arrow_scale", "arrow length", -3, 3, 0.1),
      h("label", { class: "line" }, h("span", {}, "colour"), this.select("contact_colour", [["state", "state, bonds"], ["force", "force"]])),
      h("label", { class: "line" }, h("span", {}, "only of"), this.filter),
      h("h3", {}, "Look from"), looks, this.check("grid", "grid on the ground"),
    );
    this.refresh();
  }

  private set<K extends keyof Settings>(key: K, value: Settings[K]): void {
    this.settings[key] = value;
    this.actions.change();
  }

  private check(key: "contacts" | "dots" | "arrows" | "grid" | "fade" | "structure" | "strain" | "wireframe", label: string): HTMLElement {
    const input = h("input", { type: "checkbox", id: `show_${key}`, onchange: () => this.set(key, input.checked) });
    this.controls.set(key, input);
    return h("label", { class: "line check" }, h("span", {}, label), input);
  }

  /** Sliders are logarithmic: the middle is 1, a step is a factor of two. */
  private slider(key: "thicken" | "arrow_scale", label: string, low: number, high: number, step: number): HTMLElement {
    const input = h("input", { type: "range", min: low, max: high, step, id: key, oninput: () => this.set(key, 2 ** Number(input.value)) });
    this.controls.set(key, input);
    return h("label", { class: "line" }, h("span", {}, label), input);
  }

  private select(key: "contact_colour", choices: [string, string][]): HTMLSelectElement {
    const select = h("select", { id: key, onchange: () => this.set(key, select.value as Settings["contact_colour"]) });
    for (const [value, label] of choices) select.append(h("option", { value }, label));
    this.controls.set(key, select);
    return select;
  }

  /** What concerns bodies that no run has is not offered. */
  set_models(models: Model[]): void {
    this.of_strands.hidden = !models.some((model) => model.strands > 0);
    this.of_meshes.hidden = !models.some((model) => model.meshes.length > 0);
    this.of_structure.hidden = !models.some((model) => model.has_structure);
    const [model] = models;
    const most = 400; // a list of thousands helps nobody: pick those strands in the picture
    this.filter.replaceChildren(
      h("option", { value: "" }, "all bodies"),
      ...model.obstacles.map((_, k) => h("option", { value: -1 - k }, model.body_name(-1 - k))),
      ...model.meshes.map((mesh, m) => h("option", { value: model.body_of_mesh(m) }, mesh.name)),
      ...Array.from({ length: Math.min(most, model.strands) }, (_, s) => h("option", { value: s }, `strand ${s}`)),
    );
    this.refresh();
  }

  refresh(): void {
    const { settings } = this;
    for (const radio of this.element.querySelectorAll<HTMLInputElement>("input[name=colour]")) radio.checked = radio.value === settings.colour;
    for (const [key, control] of this.controls) {
      const value = settings[key];
      if (typeof value === "boolean") (control as HTMLInputElement).checked = value;
      else if (typeof value === "number") control.value = String(Math.log2(value));
      else control.value = String(value);
    }
    const wanted = settings.filter === null ? "" : String(settings.filter);
    if (![...this.filter.options].some((option) => option.value === wanted)) this.filter.append(h("option", { value: wanted }, `strand ${wanted}`));
    this.filter.value = wanted;
  }
}
