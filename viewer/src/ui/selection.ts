// What was clicked, in words that stay true in other frames.

import { choose_contact } from "../run/contact_choice";
import { shown_frame, type Moment } from "../run/frame";
import type { Playable } from "../run/playable";
import type { Pick } from "../view/body_view";
import type { RunView } from "../view/run_view";
import type { Selection } from "./body_numbers";

export interface Selected {
  run: Playable;
  selection: Selection;
}

export function selection_of(pick: Pick, moment: Moment): Selection {
  if (pick.kind === "contact") return { kind: "contact", contact: choose_contact(shown_frame(moment), pick.body) };
  if (pick.kind === "obstacle") return { kind: "obstacle", body: pick.body };
  return { kind: pick.kind, body: pick.body, point: pick.point };
}

/** Marks in the picture what is selected there: bodies, and the cone of a contact. */
export function mark_selection(view: RunView, selection: Selection | null): void {
  const contact = selection?.kind === "contact" ? selection.contact : null;
  const strand = selection?.kind === "strand" ? selection.body : (contact?.a ?? -1);
  view.strands.selected = Math.max(-1, strand);
  view.obstacles.selected = selection?.kind === "obstacle" ? selection.body : contact ? -1 - contact.b : -1;
  const touching = contact ? Math.max(...[contact.a, contact.b].map((body) => view.model.mesh_of_body(body))) : -1;
  view.meshes.selected = selection?.kind === "mesh" ? selection.body : touching;
  view.picked = contact;
  view.update_contacts();
}
