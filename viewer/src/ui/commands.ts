// What buttons and keys do.

import type { Player } from "../player";
import { VIEW_DIRECTIONS } from "../view/stage";

export interface Commands {
  open(): void;
  toggle(key: "contacts" | "arrows" | "grid" | "structure" | "strain" | "wireframe"): void;
  next_colour(): void;
  /** Opens the panel, with its plots or as it was, or closes it. */
  tab(tab: "plots" | "any"): void;
  worst(): void;
  look(direction?: [number, number, number]): void;
  shot(): void;
  theme(): void;
  help(): void;
  /** Clears the selection, or closes the panel. */
  back(): void;
}

export function key_actions(player: Player, commands: Commands, shift: boolean): Record<string, () => void> {
  const actions: Record<string, () => void> = {
    "?": commands.help,
    " ": () => player.play(!player.playing),
    ArrowLeft: () => player.step(shift ? -10 : -1),
    ArrowRight: () => player.step(shift ? 10 : 1),
    Home: () => player.seek(0),
    End: () => player.seek(player.duration),
    "[": () => player.change_speed(-1),
    "]": () => player.change_speed(1),
    l: () => player.toggle_loop(),
    c: () => commands.toggle("contacts"),
    a: () => commands.toggle("arrows"),
    d: () => commands.toggle("structure"),
    e: () => commands.toggle("strain"),
    m: () => commands.toggle("wireframe"),
    g: () => commands.toggle("grid"),
    k: commands.next_colour,
    w: commands.worst,
    f: () => commands.look(),
    p: () => commands.tab("any"),
    t: commands.theme,
    s: commands.shot,
    Escape: commands.back,
  };
  Object.values(VIEW_DIRECTIONS).forEach((direction, k) => (actions[String(k + 1)] = () => commands.look(direction)));
  return actions;
}
