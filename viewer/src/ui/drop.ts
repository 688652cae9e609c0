// Folders that are dropped anywhere on the page.

import { runs_of_drop, type FolderSource } from "../source/folder";

export function accept_drops(hint: (on: boolean) => void, take: (runs: FolderSource[], had_files: boolean) => void): void {
  let inside = 0; // children of the page are entered before their parents are left
  addEventListener("dragenter", (event) => { event.preventDefault(); ++inside; hint(true); });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("dragleave", () => { inside = Math.max(0, inside - 1); hint(inside > 0); });
  addEventListener("drop", (event) => {
    event.preventDefault();
    inside = 0;
    hint(false);
    if (!event.dataTransfer) return;
    const had_files = event.dataTransfer.items.length > 0;
    void runs_of_drop(event.dataTransfer).then((runs) => take(runs, had_files));
  });
}
