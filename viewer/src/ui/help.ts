import { button, h } from "./dom";

export const KEYS: [string, string][] = [
  ["space", "play, pause"],
  ["← →", "one frame back, on (with shift: ten)"],
  ["home end", "first, last frame"],
  ["[ ]", "slower, faster"],
  ["l", "loop"],
  ["c", "contacts"],
  ["a", "force arrows"],
  ["d", "directions of the structure of surfaces"],
  ["k", "next colouring of strands"],
  ["e", "strain of soft bodies"],
  ["m", "mesh of soft bodies"],
  ["w", "worst step: where the error is largest"],
  ["f", "fit the scene into the picture"],
  ["1 … 6", "look from three-quarter, front, back, left, right, top"],
  ["g", "grid"],
  ["p", "panel"],
  ["t", "dark, light"],
  ["s", "save the picture"],
  ["esc", "clear the selection"],
  ["?", "this help"],
];

export class Help {
  readonly element: HTMLDialogElement;
  constructor() {
    const close = () => this.element.close();
    this.element = h("dialog", { class: "help", id: "help", onclick: (event: Event) => event.target === this.element && close() },
      h("header", {}, h("h2", {}, "Keys"), button("close", "Close", close)),
      h("dl", {}, ...KEYS.flatMap(([key, what]) => [h("dt", {}, ...key.split(" ").map((k) => (k === "…" ? k : h("kbd", {}, k)))), h("dd", {}, what)])),
      h("p", {}, "Drag to turn, drag with the right button or two fingers to move, scroll or pinch to come closer. Click a body or a contact for its numbers. The address of the page always leads back to what you see: copy it to share a moment."),
    );
  }
  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}
