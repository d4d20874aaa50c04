/** One value of the configuration and its source. */
export type Value = {
  /** The key in parts: `policy`, `keep_messages`. Tables are split, so that sources are merged value by value. */
  readonly path: readonly string[]
  readonly value: unknown
  /** For people: `user file /home/me/.config/pith/config.yaml`, `environment PITH_MODEL`. */
  readonly source: string
  /** The key as it is written in the source; some keys have two names. */
  readonly written: string
  /** The place of the value, for errors: a file and its line, a variable, a flag. */
  readonly where: string
}

/** The key as users write it. */
export function keyOf({ path }: Pick<Value, 'path'>): string {
  return path.join('.')
}

/** The effective values. If a key occurs twice, the later value is kept, at the position of the first. */
export function laterWins(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value.path), value])).values()]
}

/** The place where the value at a path was set. If there is no such value, the place of the first value in the nearest table around it. */
export function placeIn(values: readonly Value[], path: readonly PropertyKey[]): string | undefined {
  const found = values.find((value) => path.every((key, index) => value.path[index] === String(key)))
  return found === undefined && path.length > 1 ? placeIn(values, path.slice(0, -1)) : found?.where
}

/** The values as a nested table. */
export function tableOf(values: readonly Pick<Value, 'path' | 'value'>[]): Record<string, unknown> {
  const groups = Map.groupBy(values, ({ path }) => path[0] ?? '')
  return Object.fromEntries([...groups].map(([key, group]) => [key, joined(group)]))
}

function joined(group: readonly Pick<Value, 'path' | 'value'>[]): unknown {
  const whole = group.find(({ path }) => path.length === 1)
  return whole === undefined ? tableOf(group.map(({ path, value }) => ({ path: path.slice(1), value }))) : whole.value
}

/** True for a table of settings, in contrast to a single value or a list. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
