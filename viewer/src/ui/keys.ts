// Keys of the page, where they do not belong to what has the focus.

/** Looks the key up in `actions`, anew for each press. */
export function listen_to_keys(actions: (shift: boolean) => Record<string, () => void>): void {
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.matches?.("input:not([type=checkbox]):not([type=radio]), select, textarea")) return;
    // Who walks through the page by keyboard presses buttons with space and turns radios with arrows.
    if (event.key === " " && target.matches?.("button, input, summary")) return;
    if (event.key.startsWith("Arrow") && target.matches?.("input[type=radio]")) return;
    const action = actions(event.shiftKey)[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  // After a click the keyboard belongs to the picture again; after a tab key it stays where it is.
  addEventListener("click", (event) => {
    const pressed = (event.target as HTMLElement).closest?.("button, summary, input[type=checkbox], input[type=radio]");
    if (event.detail > 0) (pressed as HTMLElement | null)?.blur();
  });
  addEventListener("change", (event) => (event.target as HTMLElement).matches?.("select") && (event.target as HTMLElement).blur());
}
