// Says what colours mean.

import { STATE_COLOURS, STATE_NAMES, css, ramp_css } from "../view/colours";
import { FIELD_LABELS, type FieldName } from "../view/fields";
import { digits, h } from "./dom";
import type { Settings } from "./settings";

export function draw_legend(element: HTMLElement, settings: Settings, high: number, states: boolean, force: number): void {
  const field = FIELD_LABELS[settings.colour as FieldName];
  const by_state = settings.contacts && states && settings.contact_colour === "state";
  const by_force = settings.contacts && !by_state && force > 0;
  // Rebuilt only when it says something else: it must not flicker.
  const stamp = `${settings.colour} ${digits(high)} ${by_state} ${by_force} ${digits(force)}`;
  if (element.dataset.stamp === stamp) return;
  element.dataset.stamp = stamp;
  const bar = (label: string, to: string) =>
    h("div", { class: "ramp" }, h("span", {}, label), h("i", { style: `background:${ramp_css()}` }), h("div", { class: "ends" }, h("span", {}, "0"), h("span", {}, to)));
  element.replaceChildren();
  if (field) element.append(bar(field.label, `${digits(high)} ${field.unit}`));
  if (by_state) element.append(h("div", { class: "states" }, ...STATE_NAMES.map((name, k) => h("span", {}, h("i", { style: `background:${css(STATE_COLOURS[k])}` }), name))));
  if (by_force) element.append(bar("force of a contact", `${digits(force)} N`));
}
