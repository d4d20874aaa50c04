import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every text in the recorded sessions below a folder, each once: agents repeat most texts in several fields. */
export function textsBelow(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(?:jsonl?|traj)$/.test(file),
  )
  return [
    ...new Set(
      files.toSorted().flatMap((file) => valuesIn(readFileSync(join(folder, file), 'utf8')).flatMap(stringsOf)),
    ),
  ]
}

function valuesIn(text: string): unknown[] {
  const whole = parsed(text)
  return whole === undefined ? text.split('\n').map(parsed) : [whole]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsOf)
}
