/** The most bytes of the headers of a message. Providers accept more than Node does by default. */
export const MOST_HEADER_BYTES = 128 * 1024

/** Headers that belong to one connection, and those that Node writes itself. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The raw headers of a message that are passed on, as they were written: name, value, name, value, … */
export function passedHeaders(raw: readonly string[], without: readonly string[] = []): string[] {
  const passed: string[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name = '', value = ''] = [raw[i], raw[i + 1]]
    const key = name.toLowerCase()
    if (!OF_CONNECTION.has(key) && !without.includes(key)) passed.push(name, value)
  }
  return passed
}
