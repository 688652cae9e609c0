import { FieldScale, type RunView } from "../view/run_view";
import type { Settings } from "./settings";

/** What colours mean, the same for all runs that are shown. */
export class Scales {
  field = new FieldScale("natural"); // of strands
  strain = new FieldScale("strain");
}

export function apply_settings(settings: Settings, scales: Scales, view: RunView): void {
  if (scales.field.mode !== settings.colour) scales.field = new FieldScale(settings.colour);
  view.colour(settings.colour, scales.field);
  view.colour_by_strain(settings.strain, scales.strain);
  view.meshes.wireframe = settings.wireframe;
  view.strands.thicken = settings.thicken;
  view.strands.opacity = settings.fade ? 0.35 : 1;
  view.grid = settings.grid;
  view.obstacles.structure.object.visible = settings.structure;
  view.contacts.object.visible = settings.contacts;
  view.contacts.dots = settings.dots;
  view.contacts.arrows = settings.arrows;
  view.contacts.colouring = settings.contact_colour;
  view.contacts.body = settings.filter;
  view.contacts.scale = settings.arrow_scale;
  view.update_contacts();
}
