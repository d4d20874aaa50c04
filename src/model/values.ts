/**
 * An immutable list that shares its storage with the lists made from it by appending. Appending costs one element, not a
 * copy, and every list still sees exactly its own elements.
 */
export class Sequence<T> implements Iterable<T> {
  readonly length: number
  readonly #storage: T[]

  private constructor(storage: T[], length: number) {
    this.#storage = storage
    this.length = length
  }

  static of<T>(items: Iterable<T> = []): Sequence<T> {
    const storage = [...items]
    return new Sequence(storage, storage.length)
  }

  at(index: number): T | undefined {
    return index < this.length ? this.#storage[index] : undefined
  }

  get last(): T | undefined {
    return this.#storage[this.length - 1]
  }

  slice(from = 0, to = this.length): T[] {
    const fromEnd = (index: number) => (index < 0 ? Math.max(0, this.length + index) : Math.min(index, this.length))
    return this.#storage.slice(fromEnd(from), fromEnd(to))
  }

  append(item: T): Sequence<T> {
    // Only the newest list may write after its end; an older one continues on a copy.
    const storage = this.#storage.length === this.length ? this.#storage : this.slice()
    storage.push(item)
    return new Sequence(storage, storage.length)
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let i = 0; i < this.length; i++) yield this.#storage[i] as T
  }
}

/** True if two values are equal: plain data by content, everything else by identity. */
export function sameData(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one, i) => sameData(one, b[i]))
  if (!isPlainObject(a) || !isPlainObject(b)) return Object.is(a, b)
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameData(a[key], b[key]))
}

/** True for an object that is plain data, without a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A map with a maximum size: when it is exceeded, the entry that was set longest ago is removed. */
export class RecentMap<K, V> extends Map<K, V> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    const [oldest] = this.size > this.#most ? this.keys() : []
    if (oldest !== undefined) this.delete(oldest)
    return this
  }
}

/** Bytes as base64, in every runtime. */
export function toBase64(data: Uint8Array): string {
  let binary = ''
  // In pieces, because the number of arguments of a call is limited.
  for (let i = 0; i < data.length; i += 0x8000) binary += String.fromCharCode(...data.subarray(i, i + 0x8000))
  return btoa(binary)
}

/** `keepTokens` as configuration files and the HTTP API write it: `keep_tokens`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** `keep_tokens` as TypeScript writes it: `keepTokens`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** True for an object that is not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a field, if there is one. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined
}

/** True for the URL of a PostgreSQL server, in contrast to the path of a file. */
export function isPostgresUrl(place: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(place)
}

/** A time as a user writes it, in milliseconds: `30d`, `12h`, `90m`, `45s`. Undefined if it is not one. */
export function durationMs(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,5})([smhd])$/.exec(text.trim()) ?? []
  const value = Number(digits) * (UNIT_MS[unit] ?? 0)
  return value > 0 ? value : undefined
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
