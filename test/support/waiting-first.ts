import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that wait for programs of their own, in the order in which they start; the rest comes behind them. */
const WAITING: readonly RegExp[] = [
  /\/test\/(?:programs\/(?:server|web|session|store|cli|tui\/tmux|wrap|agent\/two-processes)|examples|package)\//,
  /\/test\/(?:programs|store\/postgres|session\/events)/,
]

/**
 * Starts the files that wait for other processes first. Their waiting is filled by the files beside them, none of them is
 * left alone at the end, and the worker is still small: starting a process takes the longer the more memory it has.
 */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).toSorted((a, b) => rank(a) - rank(b)),
    )
  }
}

function rank({ moduleId }: TestSpecification): number {
  const found = WAITING.findIndex((place) => place.test(moduleId))
  return found === -1 ? WAITING.length : found
}
