import type { FieldScale, RunView } from "../view/run_view";
import type { Settings } from "./settings";

export function apply_settings(settings: Settings, scale: FieldScale, view: RunView): void {
  view.colour(settings.colour, scale);
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
