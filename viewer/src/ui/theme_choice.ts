// Dark or light: what the link says, else what was chosen by hand, else what the system prefers.

import type { ThemeName } from "../view/theme";
import { recall, remember } from "./dom";
import { parse_link } from "./hash";

export class ThemeChoice {
  name: ThemeName = "dark";
  private by_hand: ThemeName | undefined;
  private system = matchMedia("(prefers-color-scheme: light)");

  constructor(private changed: () => void) {
    this.system.addEventListener("change", () => { this.decide(); this.changed(); });
    this.decide();
  }

  toggle(): void {
    this.name = this.by_hand = this.name === "dark" ? "light" : "dark";
    remember("theme", this.name);
    this.changed();
  }

  private decide(): void {
    const chosen = parse_link(location.hash).theme ?? this.by_hand ?? recall("theme");
    this.name = chosen === "light" || chosen === "dark" ? chosen : this.system.matches ? "light" : "dark";
  }
}
