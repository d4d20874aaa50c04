import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that wait for programs of their own, in the order in which they start. */
const WAITING: readonly RegExp[] = [
  /\/test\/(?:programs\/(?:server|web|session|store|cli|tui\/tmux|wrap|agent\/two-processes)|examples|package)\//,
  /\/test\/(?:programs|store\/postgres|session\/events)/,
]

/** The share of the other files that run between those that wait. The rest comes after: no file waits alone at the end. */
const BETWEEN = 0.6

/** Spreads the files that wait for other processes among those that compute, which use the time that the others wait. */
export class WaitingBetween extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
    const waiting = sorted.filter((file) => rank(file) < WAITING.length)
    const others = sorted.slice(waiting.length)
    const each = Math.floor((others.length * BETWEEN) / Math.max(1, waiting.length))
    const mixed = waiting.flatMap((file, i) => [file, ...others.slice(i * each, (i + 1) * each)])
    return [...mixed, ...others.slice(waiting.length * each)]
  }
}

function rank({ moduleId }: TestSpecification): number {
  const found = WAITING.findIndex((place) => place.test(moduleId))
  return found === -1 ? WAITING.length : found
}
