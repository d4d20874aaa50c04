import { WRAPPED_AGENTS } from '../../../gateway/wrap/agents.ts'
import type { AgentStart } from '../../../gateway/wrap/wrapped-agent.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { wrapAgent } from '../../wrap/wrap-agent.ts'

/** Starts another ACP agent with a gateway of its own. Its standard input and output stay the editor's. */
export async function wrapAcp(commandLine: string): Promise<void> {
  const [program = '', ...args] = wordsIn(commandLine)
  const agent = WRAPPED_AGENTS.find(({ name }) => [program, ...args].some((word) => hasName(word, name)))
  if (agent === undefined) {
    const names = WRAPPED_AGENTS.map(({ name }) => name).join(', ')
    throw new PithError('bad-argument', `--agent ${commandLine}: it names none of the agents that Pith knows: ${names}`)
  }
  await wrapAgent(agent.name, args, {}, { program, take: takeOf(program, agent.program) })
}

/** The agent's own program takes its flags; adapters take variables only. */
function takeOf(program: string, own: string): (start: AgentStart) => AgentStart {
  if (program.split(/[\\/]/).at(-1) === own) return (start) => start
  return ({ env, settings }) => ({
    env: { ...env, ...(settings !== undefined && { CODEX_CONFIG: JSON.stringify(settings) }) },
    args: [],
  })
}

function hasName(word: string, name: string): boolean {
  return new RegExp(`(^|[^a-z])${name}([^a-z]|$)`).test(word)
}

/** The words of a command line, with quotes as in a shell and nothing else of it. */
function wordsIn(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}
