import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Contest, Env } from './contest.ts'
import type { Material } from './material.ts'

export type OneRun = {
  readonly module: string
  readonly contest: string
  readonly entrant: string
  /** The file that holds the material. */
  readonly material: string
  readonly env: Env
}

/** One run of one entrant, in a process of its own; called by `child.ts`. */
export async function oneRun({ module, contest, entrant, material, env }: OneRun, begin: () => void): Promise<unknown> {
  const loaded: Record<string, Contest> = await import(pathToFileURL(module).href)
  const one = loaded[contest]?.entrants.find(({ name }) => name === entrant)
  if (one === undefined) throw new Error(`${contest} has no entrant ${entrant}`)
  const { prepare, run, times = 1 } = await one.enter(JSON.parse(readFileSync(material, 'utf8')) as Material, env)
  const prepared = await prepare()
  begin()
  await run(prepared)
  return times
}
