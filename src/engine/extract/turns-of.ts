import { callsOf, type Item, isUserMessage, type Message, partsOf, type Seq, textOf } from '../../model/types.ts'
import { typedIn } from './text/typed-words.ts'

export type Utterance = { readonly seq: Seq; readonly text: string }

/** A turn for a digest: the request, the agent's texts and reasoning, and its answer. */
export type DigestTurn = {
  readonly seq: Seq
  readonly asked: string
  readonly said: readonly Utterance[]
  readonly thought: readonly Utterance[]
  /** The agent's last text, if no tool call came after it: the turn was finished. */
  readonly closing?: Utterance
  readonly calls: number
}

/** The turns in some items. Items before the first message of the user belong to a turn without a request. */
export function turnsOf(items: readonly Item[]): DigestTurn[] {
  const turns: OpenTurn[] = []
  for (const item of items) {
    if (item.kind === 'summary') continue
    const asked = isUserMessage(item) ? typedIn(item) : ''
    if (asked !== '') turns.push(turnAt(item.seq, asked))
    if (item.message.role !== 'assistant') continue
    const last = turns.at(-1)
    const turn = last === undefined || isAnswered(last, item.seq) ? turnAt(item.seq, '') : last
    if (turn !== last) turns.push(turn)
    addStep(turn, item.seq, item.message)
  }
  return turns.map(({ closed, ...turn }) => ({ ...turn, ...(closed ? { closing: turn.said.at(-1) } : {}) }))
}

/** True if the agent has answered, and the next entry is not the following one: the request between them stays in the view. */
function isAnswered({ closed, said }: OpenTurn, next: Seq): boolean {
  return closed && next > (said.at(-1)?.seq ?? next) + 1
}

type OpenTurn = { seq: Seq; asked: string; said: Utterance[]; thought: Utterance[]; calls: number; closed: boolean }

function turnAt(seq: Seq, asked: string): OpenTurn {
  return { seq, asked, said: [], thought: [], calls: 0, closed: false }
}

/** Claude Code writes this if no answer was wanted. */
const NOTHING_SAID = 'No response requested.'

function addStep(turn: OpenTurn, seq: Seq, message: Message): void {
  const said = textOf(message).trim()
  const text = said === NOTHING_SAID ? '' : said
  const thought = partsOf(message).flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))
  const calls = callsOf(message).length
  if (text !== '') turn.said.push({ seq, text })
  if (thought.length > 0) turn.thought.push({ seq, text: thought.join('\n') })
  turn.calls += calls
  turn.closed = text !== '' && calls === 0
}
