import type { UserMessage } from '../../model/types.ts'
import type { Agent } from '../agent.ts'
import type { ToolOutput } from '../tool.ts'
import { withProgramNote } from './mode-note.ts'

const PLAN_REQUEST = `Plan mode is on for this message: find out what has to be done and plan it, but change nothing. You can read files, search, and run plain commands that only look; everything else is refused. When you know enough, hand over the plan by one call of the todo tool: each step that you would take is an item, in order, and names the files that it changes. The user then accepts the plan, asks for another one, or refuses it. Do not begin before the user has accepted it.`

/** The user's message with a note for the model that a plan is wanted. */
export function planRequest(said: UserMessage): UserMessage {
  return withProgramNote(said, PLAN_REQUEST)
}

/** Asks the user about a plan: the to-do list that the model wrote in plan mode. Only an accepted plan becomes the list, and ends plan mode. */
export async function proposePlan(agent: Agent, plan: ToolOutput, signal: AbortSignal): Promise<ToolOutput> {
  const { todos = [], text } = plan
  if (plan.isError === true || todos.length === 0) return plan
  const { askPlan } = agent.deps
  if (askPlan === undefined) return { text: NOBODY, ...DENIED }
  const answer = await askPlan(
    todos.map((todo) => todo.text),
    signal,
  )
  switch (answer.kind) {
    case 'accepted':
      await agent.append([{ type: 'settings', planning: false }])
      return { ...plan, text: `The user accepted this plan. Plan mode is over: do it now, step by step.\n${text}` }
    case 'refused':
      return { text: 'The user does not want this plan. Stop here, and wait for what they say.', ...DENIED }
    case 'tell': {
      const said = answer.text.trim()
      const words = said === '' ? {} : { userWords: [{ text: said, reply: 'rejection' as const }] }
      const what = said === '' ? '' : ` and says: ${said}`
      return { text: `The user wants another plan${what}`, ...DENIED, ...words }
    }
  }
}

const DENIED = { isError: true, isDenied: true } as const

const NOBODY =
  'Nobody is there to accept a plan. Write it as your answer, step by step, and end there: the user reads it and decides.'
