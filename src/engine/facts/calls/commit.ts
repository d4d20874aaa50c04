import type { CommitFact } from '../../../model/log-index.ts'

/** The commit that git says it made. */
export function commitIn(command: string, output: string): Omit<CommitFact, 'seq'> | undefined {
  if (!/\bgit\b[^\n]*\bcommit\b/.test(command)) return undefined
  const [, branch, hash, subject] = COMMIT.exec(output) ?? []
  return branch === undefined || hash === undefined || subject === undefined ? undefined : { hash, branch, subject }
}

const COMMIT = /^\[([^\]\s]{1,100})(?: \([\w-]+\))? ([0-9a-f]{7,40})\] (.{1,300})$/m
