// The bar above the picture.

import type { Commands } from "./commands";
import { brand_mark, button, h } from "./dom";

export class Topbar {
  readonly element: HTMLElement;
  readonly runs = h("div", { class: "runs" });
  private contacts: HTMLButtonElement;

  constructor(commands: Commands) {
    this.contacts = button("contacts", "Contacts (c)", () => commands.toggle("contacts"), "contacts");
    this.element = h("header", { class: "topbar" },
      h("a", { class: "brand", title: "Capstan", href: "#", onclick: (event: Event) => event.preventDefault() }, brand_mark(), h("b", {}, "Capstan")),
      this.runs,
      h("span", { class: "tools" },
        button("folder", "Open a run folder", () => commands.open(), "open"),
        this.contacts,
        button("plots", "Plots", () => commands.tab("plots"), "plots"),
        button("target", "Fit the scene (f)", () => commands.look(), "fit"),
        button("camera", "Save the picture (s)", () => commands.shot(), "shot"),
        button("theme", "Dark or light (t)", () => commands.theme(), "theme"),
        button("help", "Keys (?)", () => commands.help(), "keys"),
        button("panel", "Panel (p)", () => commands.tab("any"), "panel")));
  }

  set contacts_shown(on: boolean) {
    this.contacts.setAttribute("aria-pressed", String(on));
  }
}
