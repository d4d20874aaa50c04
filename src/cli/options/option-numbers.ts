import { InvalidArgumentError } from 'commander'

/** A whole number of tokens as a user writes it: `32000`, `32,000`, `32k`, `1M`. */
export function tokensOption(text: string): number {
  const [, digits = '', unit = ''] = /^(\d[\d,_]*(?:\.\d+)?)\s*([kKmM]?)$/.exec(text.trim()) ?? []
  const value = Number(digits.replace(/[,_]/g, '')) * (UNITS[unit.toLowerCase()] ?? 1)
  if (digits === '' || !(value >= 1)) throw new InvalidArgumentError('Write a number of tokens, such as 32000 or 32k')
  return Math.round(value)
}

const UNITS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 }

/** A whole number, at least 1. */
export function countOption(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Write a whole number from 1 on')
  return value
}

/** A port to listen on. */
export function portOption(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('Write a number up to 65535')
  return port
}

/** A time from now on as a user writes it: `30d`, `12h`, `90m`; in milliseconds. */
export function durationOption(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text.trim()) ?? []
  const value = Number(digits) * (UNIT_MS[unit] ?? 0)
  if (!(value > 0)) throw new InvalidArgumentError('Write a time such as 30d, 12h or 90m')
  return value
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
