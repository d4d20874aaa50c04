import { CRITERION_NAMES, type Criterion, PROBE_NAMES, type Probe } from './probes.ts'

/** The four answers in a model's text; a part that is missing is an empty answer. */
export function answersIn(text: string): Readonly<Record<Probe, string>> {
  const part = (probe: Probe) => new RegExp(`<${probe}>([\\s\\S]*?)(?:</${probe}>|$)`).exec(text)?.[1]?.trim() ?? ''
  return Object.fromEntries(PROBE_NAMES.map((probe) => [probe, part(probe)])) as Record<Probe, string>
}

export type Marks = Readonly<Record<Criterion, number>>

/** The marks for a letter in a judge's text, or undefined where one is missing or no number from 0 to 5. */
export function marksIn(text: string, letter: string): Marks | undefined {
  const json = /\{[\s\S]*\}/.exec(text)?.[0]
  if (json === undefined) return undefined
  try {
    const given = (JSON.parse(json) as Record<string, Record<string, unknown>>)[letter]
    const marks = CRITERION_NAMES.map((name) => [name, given?.[name]] as const)
    const isMark = (mark: unknown) => typeof mark === 'number' && mark >= 0 && mark <= 5
    return marks.every(([, mark]) => isMark(mark)) ? (Object.fromEntries(marks) as Marks) : undefined
  } catch {
    return undefined
  }
}
