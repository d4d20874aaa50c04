import { programPath, programProblem } from '../../config/places/program-path.ts'
import { PithError } from '../../model/problems/errors.ts'

/** The file of an agent's program. Without one that can be started, the error says what is wrong. */
export function agentProgram(program: string, title: string): string {
  const path = process.env.PATH ?? ''
  const file = programPath(program, path)
  if (file === undefined)
    throw new PithError('bad-argument', `${programProblem(program, path)}: install ${title} first`)
  return file
}
