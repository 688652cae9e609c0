// Says what colours mean.

import type { Shown } from "../player";
import { STATE_COLOURS, STATE_NAMES, bond_css, css, ramp_css } from "../view/colours";
import { FIELD_LABELS, type FieldName } from "../view/fields";
import type { Scales } from "./apply_settings";
import { digits, h } from "./dom";
import type { Settings } from "./settings";

/** What there is to be said about the contacts that are shown. */
function contacts_in(shown: Shown[]): { states: boolean; bonds: boolean; force: number } {
  const views = shown.map(({ view }) => view);
  return {
    states: views.some(({ moment }) => moment?.before.contacts.state),
    bonds: views.some(({ moment }) => moment?.before.contacts.beta?.some((beta) => beta > 0)),
    force: Math.max(0, ...views.map(({ contacts }) => contacts.force_range[1] * (contacts.typical > 0 ? 1 : 0))),
  };
}

export function draw_legend(element: HTMLElement, settings: Settings, scales: Scales, shown: Shown[]): void {
  const field = FIELD_LABELS[settings.colour as FieldName];
  const { states, bonds, force } = contacts_in(settings.contacts ? shown : []);
  const by_state = states && settings.contact_colour === "state";
  const by_force = settings.contacts && !by_state && force > 0;
  const strain = settings.strain && shown.some(({ run }) => run.model.meshes.length > 0) ? scales.strain.high : null;
  // Rebuilt only when it says something else: it must not flicker.
  const stamp = `${settings.colour} ${digits(scales.field.high)} ${by_state} ${by_state && bonds} ${by_force} ${digits(force)} ${strain}`;
  if (element.dataset.stamp === stamp) return;
  element.dataset.stamp = stamp;
  const bar = (label: string, to: string, colours = ramp_css()) =>
    h("div", { class: "ramp" }, h("span", {}, label), h("i", { style: `background:${colours}` }), h("div", { class: "ends" }, h("span", {}, "0"), h("span", {}, to)));
  element.replaceChildren();
  if (field) element.append(bar(field.label, `${digits(scales.field.high)} ${field.unit}`));
  if (strain !== null) element.append(bar("strain", `${digits(100 * strain)} %`));
  if (by_state) element.append(h("div", { class: "states" }, ...STATE_NAMES.map((name, k) => h("span", {}, h("i", { style: `background:${css(STATE_COLOURS[k])}` }), name))));
  if (by_state && bonds) element.append(bar("bond of a contact, beta", "1", bond_css()));
  if (by_force) element.append(bar("force of a contact", `${digits(force)} N`));
}
