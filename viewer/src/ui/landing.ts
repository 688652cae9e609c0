// Shown when there is nothing to show.

import { h, icon } from "./dom";
import type { FolderSource } from "../source/folder";
import { runs_of_input } from "../source/folder";

export function folder_input(take: (runs: FolderSource[], had_files: boolean) => void): HTMLInputElement {
  const input = h("input", { type: "file", webkitdirectory: true, multiple: true, hidden: true, onchange: () => {
    take(runs_of_input(input), (input.files?.length ?? 0) > 0);
    input.value = "";
  } });
  return input;
}

export function landing(pick: () => void, message: string | null): HTMLElement {
  const art = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  art.setAttribute("viewBox", "0 0 400 180");
  art.setAttribute("class", "art");
  art.setAttribute("aria-hidden", "true");
  for (let k = 0; k < 30; ++k) {
    const strand = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const x = 30 + k * 11.7;
    const bend = 20 * Math.sin(k * 0.45) + 7 * Math.sin(k * 1.9);
    strand.setAttribute("d", `M${x} -4C${x + bend} 50 ${x - bend * 1.2} 90 ${x + bend * 0.7} ${140 + 20 * Math.sin(k * 0.55) + 9 * Math.sin(k * 2.1)}`);
    strand.setAttribute("style", `--k:${k}`);
    art.append(strand);
  }
  return h("main", { class: "landing", id: "landing" },
    art as unknown as Node,
    h("h1", {}, "See what the strands did"),
    h("p", {}, "Drop the folder of a run here. It stays on your machine: the page reads it, and sends nothing."),
    h("button", { type: "button", class: "primary", id: "pick_folder", onclick: pick }, icon("folder") as unknown as Node, "Choose a run folder"),
    message ? h("p", { class: "problem", id: "problem" }, message) : null,
    h("div", { class: "recipe" },
      h("p", {}, "No run yet? In a terminal:"),
      h("pre", {}, "capstan new curls\ncapstan run curls.toml"),
      h("p", {}, "Then drop ", h("code", {}, "runs/curls"), " here. A run folder has a ", h("code", {}, "manifest.json"), " and a ", h("code", {}, "frames.bin"), " in it.")),
  );
}
