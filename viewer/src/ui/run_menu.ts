// The name of what is shown; with several runs at hand, a menu to choose among them or tick some beside each other.

import type { RunSource } from "../source/source";
import { h } from "./dom";

export function draw_run_menu(box: HTMLElement, names: string, all: RunSource[], shown: RunSource[], show: (sources: RunSource[]) => void): void {
  const title = h("span", { class: "title", id: "run_name" }, names);
  if (all.length < 2) return box.replaceChildren(title);
  const menu = h("div", { class: "menu glass" }, h("p", {}, "Tick several to compare them: one timeline, one camera."));
  for (const source of all) {
    const tick = h("input", { type: "checkbox", checked: shown.includes(source), "data-run": source.name, onchange: () => {
      const next = tick.checked ? [...shown, source] : shown.filter((other) => other !== source);
      if (next.length) show(next);
      else tick.checked = true;
    } });
    const only = h("button", { type: "button", onclick: () => { details.open = false; show([source]); } }, source.name);
    menu.append(h("div", { class: "line" }, h("label", { title: "Beside the others" }, tick), only));
  }
  const open = box.querySelector("details")?.open ?? false;
  const details = h("details", { id: "runs_menu", open }, h("summary", {}, title, h("small", {}, `${all.length} runs`)), menu);
  box.replaceChildren(details);
}
