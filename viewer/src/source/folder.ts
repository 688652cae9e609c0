import { MissingFile, type RunSource } from "./source";

/** A folder that was dropped or picked; files are read in slices. */
export class FolderSource implements RunSource {
  readonly growing = false;
  constructor(readonly name: string, private files: Map<string, File>) {}

  async read(file: string, first?: number, last?: number): Promise<ArrayBuffer> {
    const found = this.files.get(file);
    if (!found) throw new MissingFile(file, this.name);
    const part = first !== undefined && last !== undefined ? found.slice(first, Math.max(first, last)) : found;
    return part.arrayBuffer();
  }
}

/** Folders that have a manifest.json among files with paths; several runs at once are fine. */
export function runs_among(files: { path: string; file: File }[]): FolderSource[] {
  const folders = new Map<string, Map<string, File>>();
  for (const { path, file } of files) {
    const cut = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(cut, 0));
    if (!folders.has(folder)) folders.set(folder, new Map());
    folders.get(folder)!.set(path.slice(cut + 1), file);
  }
  return [...folders]
    .filter(([, inside]) => inside.has("manifest.json"))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, inside]) => new FolderSource(folder.slice(folder.lastIndexOf("/") + 1) || "run", inside));
}

export function runs_of_input(input: HTMLInputElement): FolderSource[] {
  return runs_among([...(input.files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
}

async function entries_of(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  // A reader gives at most 100 entries a call.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function collect(entry: FileSystemEntry, path: string, depth: number, found: { path: string; file: File }[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
    found.push({ path: path + entry.name, file });
  } else if (depth < 4 && entry.name !== "checkpoints") {
    for (const inner of await entries_of(entry as FileSystemDirectoryEntry)) await collect(inner, `${path}${entry.name}/`, depth + 1, found);
  }
}

export async function runs_of_drop(transfer: DataTransfer): Promise<FolderSource[]> {
  // Entries must be taken before the first await: the list is emptied afterwards.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null && entry !== undefined);
  const found: { path: string; file: File }[] = [];
  for (const entry of entries) await collect(entry, "", 0, found);
  return runs_among(found);
}
