/** `142,310`: tokens and all other whole numbers. Written by hand, because loading the locale tables takes longer than many commands. */
export function count(value: number): string {
  const rounded = Math.round(value)
  return Math.abs(rounded) < 1e21 ? grouped(rounded.toFixed(0)) : String(rounded)
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** `1 message`, `2 messages`, `2 entries`. */
export function counted(value: number, noun: string): string {
  if (value === 1) return `1 ${noun}`
  return `${count(value)} ${noun.endsWith('ry') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`
}

/** `950`, `12.3k`, `1.05M`: tokens if there is little room. */
export function short(tokens: number): string {
  if (tokens < 1_000) return String(Math.round(tokens))
  if (tokens < 999_950) return `${(tokens / 1_000).toFixed(1).replace(/\.0$/, '')}k`
  return `${(tokens / 1_000_000).toFixed(2).replace(/\.?0+$/, '')}M`
}

/** `$0.42`, `$0.05`, `$0.0042`: below ten cents up to four decimals, without trailing zeros after the cents. */
export function dollars(value: number): string {
  if (value === 0) return '$0.00'
  if (value < 0.0001) return '<$0.0001'
  return `$${value < 0.1 ? value.toFixed(4).replace(/0{1,2}$/, '') : value.toFixed(2)}`
}

/** The cost of calls: a dash without calls, a question mark if no price is known, `≥ $1.20` if some prices are not known. */
export function spentText(spent: { readonly calls: number; readonly cost: number; readonly unpriced: number }): string {
  const { calls, cost, unpriced } = spent
  if (calls === 0 && cost === 0) return '–'
  return costText(unpriced === 0 ? cost : undefined, { known: cost, unknown: '?' })
}

/**
 * The cost of something. An unknown price is shown as unknown, never as zero: `≥ $1.20` if `known` is the part
 * whose price is known, or `unknown` if there is no such part.
 */
export function costText(
  value: number | undefined,
  { known = 0, unknown = 'cost unknown' }: { readonly known?: number; readonly unknown?: string } = {},
): string {
  if (value !== undefined) return dollars(value)
  return known === 0 ? unknown : `≥ ${dollars(known)}`
}

/** `$3.00`, `$0.125`: the price of a million tokens, with all digits of the price list. */
export function rate(value: number): string {
  const [whole = '', part = ''] = value.toFixed(6).split('.')
  return `$${grouped(whole)}.${part.replace(/0{1,4}$/, '')}`
}

/** `88.8%` of something; a question mark if the whole is not known. */
export function percentOf(part: number, whole: number | undefined, digits = 1): string {
  return whole === undefined || whole <= 0 ? '?' : `${((part / whole) * 100).toFixed(digits)}%`
}

/** `50.00%`: how full the context is, as in the status line; `N/A` if the window is not known. */
export function percentText({ percent }: { readonly percent?: number }): string {
  return percent === undefined ? 'N/A' : `${percent.toFixed(2)}%`
}

/** A formatted number; an unknown value is a question mark, never a number. */
export function ifKnown(value: number | undefined, form: (value: number) => string): string {
  return value === undefined ? '?' : form(value)
}

/** `512 bytes`, `3.1 kB`, `120 MB`. */
export function bytes(length: number): string {
  if (length < 1_000) return length === 1 ? '1 byte' : `${length} bytes`
  const power = Math.min(UNITS.length, Math.floor(Math.log10(length) / 3))
  const value = length / 1_000 ** power
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power - 1]}`
}

const UNITS = ['kB', 'MB', 'GB', 'TB'] as const

/** `950 ms`, `1.2 s`: the duration of something. */
export function elapsed(ms: number, digits = 0): string {
  return ms < 1_000 ? `${ms.toFixed(digits)} ms` : `${(ms / 1_000).toFixed(1)} s`
}
