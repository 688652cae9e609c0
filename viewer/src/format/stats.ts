// stats.csv: a row a step. Columns are found by name, so that older and newer files both work.

export interface Stats {
  rows: number;
  columns: Map<string, Float64Array>;
  status: string[];
}

/** A last row without end of line was being written and is left out. */
export function parse_stats(csv: string): Stats {
  const whole = csv.slice(0, csv.lastIndexOf("\n") + 1);
  const lines = whole.split("\n");
  lines.pop();
  const names = (lines.shift() ?? "").split(",").map((name) => name.trim());
  const status_at = names.indexOf("status");
  const rows = lines.filter((line) => line.length > 0);
  const columns = new Map<string, Float64Array>();
  for (const name of names) if (name && name !== "status") columns.set(name, new Float64Array(rows.length));
  const status: string[] = [];
  rows.forEach((line, r) => {
    const cells = line.split(",");
    names.forEach((name, c) => {
      const column = columns.get(name);
      if (column) column[r] = cells[c] === undefined || cells[c] === "" ? NaN : Number(cells[c]);
    });
    status.push(status_at < 0 ? "" : cells.slice(status_at).join(","));
  });
  return { rows: rows.length, columns, status };
}

/** Row whose time is nearest to t, -1 without rows. */
export function row_at(stats: Stats, t: number): number {
  const times = stats.columns.get("t");
  if (!times || times.length === 0) return -1;
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < t) low = middle + 1;
    else high = middle;
  }
  return low > 0 && t - times[low - 1] < times[low] - t ? low - 1 : low;
}

/** Row with the largest error; a step that did not converge counts before all others. -1 without rows. */
export function worst_row(stats: Stats): number {
  const error = stats.columns.get("error");
  const converged = stats.columns.get("converged");
  if (!error) return -1;
  let worst = -1;
  let most = -1;
  for (let r = 0; r < error.length; ++r) {
    if (Number.isNaN(error[r])) continue;
    const weight = error[r] + (converged && converged[r] === 0 ? 1e6 : 0);
    if (weight > most) {
      most = weight;
      worst = r;
    }
  }
  return worst;
}
