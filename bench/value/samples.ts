import { plainItem } from '../../src/engine/context/view/plain-view.ts'
import { factsIn } from '../../src/engine/extract/index-delta.ts'
import { writtenNames } from '../../src/engine/extract/text/names.ts'
import { recordLines } from '../../src/engine/record/record-lines.ts'
import { type Features, featuresOf } from '../../src/engine/record/value.ts'
import { recordedSessions, sessionFiles } from '../../src/eval/eval-sessions.ts'
import { cutsIn, type EvalSession } from '../../src/eval/play.ts'
import { messageShown, stringsOf } from '../../src/eval/truth/needed.ts'
import { indexOf } from '../../src/model/facts/log-index.ts'
import { type Message, partsOf } from '../../src/model/types.ts'
import { messageTokens } from '../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../src/tokens/estimate/feature-estimator.ts'

/** A line that a record could have had at a cut, and which of the names in it were needed after that. */
export type Sample = {
  readonly features: Features
  readonly tokens: number
  readonly seq: number
  readonly needed: readonly string[]
}

/** The lines of one cut. */
export type CutSamples = { readonly repo: string; readonly lines: readonly Sample[] }

/** Where `pith eval` cuts. */
const SETTINGS = [
  { windowTokens: 64_000, targetTokens: 16_000, rounds: 4 },
  { windowTokens: 200_000, targetTokens: 28_000, rounds: 3 },
]
/** The share of a target that the newest messages have. */
const TAIL_SHARE = 0.4

/** The samples of a session, cut by cut. */
export function* samplesOf(repo: string, session: EvalSession): Generator<CutSamples> {
  for (const settings of SETTINGS) {
    for (const at of cutsIn(session, settings)) yield cutSamples(repo, session.messages, at, settings.targetTokens)
  }
}

function cutSamples(repo: string, messages: readonly Message[], at: number, targetTokens: number): CutSamples {
  let [from, left] = [at, targetTokens * TAIL_SHARE]
  while (from > 0 && left > 0) left -= messageTokens(messages[--from] as Message, featureEstimator)
  const items = messages
    .slice(0, from)
    .map((message, i) => plainItem({ id: `e${i + 1}`, seq: i + 1, at: 0, type: 'message', message }))
  const index = indexOf(factsIn(items))
  const needed = neededAfter(messages.slice(at), messages.slice(from, at).map(messageShown).join('\n'))
  const last = items.length
  const lines = recordLines({ index, items, shown: [], most: 8_000, isDigest: true }).map((line): Sample => {
    const text = line.render(line.stays?.level ?? 0)
    const names = new Set(writtenNames(text).filter((name) => needed.has(name)))
    const seq = line.from.reduce((a, b) => Math.max(a, b), 0)
    return { features: featuresOf(line, last), tokens: featureEstimator.text(text) + 1, seq, needed: [...names] }
  })
  return { repo, lines }
}

/** The names that the agent or the user wrote after the cut, that the tail does not have, before a result after the cut had shown them. */
function neededAfter(after: readonly Message[], tail: string): ReadonlySet<string> {
  const needed = new Set<string>()
  const shown = new Set<string>()
  for (const message of after) {
    if (message.role === 'tool')
      for (const name of writtenNames(messageShown(message).slice(0, LOOKED_AT))) shown.add(name)
    else {
      const said = partsOf(message).flatMap((part) =>
        part.type === 'text' ? [part.text] : part.type === 'tool-call' ? stringsOf(part.input) : [],
      )
      for (const name of said.flatMap((text) => writtenNames(text.slice(0, LOOKED_AT))))
        if (!shown.has(name) && !tail.includes(name)) needed.add(name)
    }
  }
  return needed
}

const LOOKED_AT = 40_000

/** The samples of all sessions in some folders. Each folder in them, or each agent's file, is a repository of its own. */
export async function materialOf(folders: readonly string[], progress: (line: string) => void): Promise<CutSamples[]> {
  const cuts: CutSamples[] = []
  for (const folder of folders) {
    for await (const session of recordedSessions(sessionFiles(folder), () => undefined)) {
      progress(session.name)
      cuts.push(...samplesOf(repositoryOf(session.name), session))
    }
  }
  return cuts
}

/** `cyspbot/01-codex.jsonl` is of `cyspbot`; `codex/agentv-0b_9f2a_3.jsonl`, of a published collection, is of `agentv`. */
function repositoryOf(name: string): string {
  const [folder = '', file = ''] = name.split('/')
  return /^(.+)-[0-9a-f]{2}_[0-9a-f]+_\d+\./.exec(file)?.[1] ?? (/^\d/.test(file) ? folder : file.replace(/\..*$/, ''))
}
