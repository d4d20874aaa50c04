import { requestProblems } from '../support/model-server/request-problems.ts'
import type { Asked } from './asked.ts'
import type { Client } from './client.ts'

/** All that providers would refuse these requests of an agent for, except for what it sends by itself. */
export function sentProblems({ ownProblems = [] }: Client, asked: readonly Asked[]): string[] {
  return asked
    .flatMap(({ protocol, body, path }) => requestProblems(protocol, body, path))
    .filter((problem) => !ownProblems.some((own) => own.test(problem)))
}
