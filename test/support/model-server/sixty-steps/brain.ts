import { isRecord } from '../bad-body.ts'
import type { Answer, Brain } from '../brain.ts'
import type { ModelRequest } from '../model-request.ts'
import { isSummarising } from '../summarising.ts'
import { type Evidence, evidenceOf, type Made } from './evidence.ts'
import { factIn, type Label, lost } from './facts.ts'
import { TASK } from './prompt.ts'
import { PROGRESS_FILE, STEPS, type Step, stepOf } from './steps.ts'
import { SUMMARY } from './summary.ts'

/**
 * Plays a model that works through the sixty steps. It has no memory: the task, its progress and every value come from
 * the request. A value that is not there it recalls; one that cannot be recalled it writes down wrongly, as a model would.
 */
export const sixtyStepsBrain: Brain = (request) => {
  if (isSummarising(request)) return { text: SUMMARY }
  const text = allText(request)
  if (!text.includes(TASK)) return { text: 'I do not know any more what I was asked to do.' }
  const evidence = evidenceOf(request)
  const next = evidence.next ?? (isFresh(request) ? 1 : undefined)
  if (next === undefined) return look('I check how far I am.', { name: 'read', input: { path: PROGRESS_FILE } })
  return next > STEPS ? { text: 'All sixty steps are done.' } : work(next, { text, request, evidence })
}

type Scene = { readonly text: string; readonly request: ModelRequest; readonly evidence: Evidence }

function work(number: number, scene: Scene): Answer {
  const step = stepOf(number)
  const again = refresh(step, scene.evidence.since)
  if (again !== undefined) return again
  const missing = step.needs.filter((label) => factIn(scene.text, label) === undefined)
  const recalls = missing.flatMap((label) => recallCall(label, scene) ?? [])
  if (recalls.length > 0) return { text: `Step ${number} needs ${missing.join(', ')}; I look it up.`, calls: recalls }
  const calls = step.calls((label) => factIn(scene.text, label) ?? lost(label))
  return { text: `Step ${number}.`, calls: [...calls] }
}

function look(text: string, call: { name: string; input: unknown }): Answer {
  return { text, calls: [call] }
}

/** A file that could not be changed is read before the second try. */
function refresh(step: Step, since: readonly Made[]): Answer | undefined {
  const last = since.at(-1)
  const [call] = step.calls(() => '')
  if (last === undefined || call === undefined || last.call.name !== call.name || call.name === 'read') return undefined
  if (!isRecord(last.call.input) || last.call.input.path !== call.input.path) return undefined
  // With another spelling of the path: it is not the step that reads this file.
  return look('That did not work; I read the file first.', { name: 'read', input: { path: `./${call.input.path}` } })
}

const SEARCHES = 2
const HANDLES = 3

/** How to look for a value next: by its label, then in the entries that were found; nothing when all was tried. */
function recallCall(label: Label, { request, evidence }: Scene): { name: string; input: unknown } | undefined {
  if (!request.tools.some(({ name }) => name === 'recall')) return undefined
  const recalls = evidence.since.filter(({ call }) => call.name === 'recall')
  const searches = recalls.filter(({ call }) => isRecord(call.input) && call.input.search === label)
  const found = searches.flatMap(({ result }) => [...result.text.matchAll(/^#\d+/gm)].map(([handle]) => handle))
  const tried = recalls.flatMap(({ call }) => (isRecord(call.input) ? [call.input.handles] : []))
  const handle = [...new Set(found)].slice(0, HANDLES).find((each) => !tried.includes(each))
  if (handle !== undefined) return { name: 'recall', input: { handles: handle } }
  return searches.length < SEARCHES ? { name: 'recall', input: { search: label } } : undefined
}

/** Nothing has happened yet: there is the user's prompt and nothing else. */
function isFresh({ messages }: ModelRequest): boolean {
  return messages.every(({ role }) => role === 'user') && !messages.some(({ parts }) => recordIn(parts))
}

function recordIn(parts: ModelRequest['messages'][number]['parts']): boolean {
  return parts.some((part) => part.type === 'text' && /was compacted|conversation summary/i.test(part.text))
}

/** All that the request says: system, texts and results, but not the calls, which are the brain's own words. */
function allText({ system, messages }: ModelRequest): string {
  const said = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [] : [part.text])))
  return [system, ...said].join('\n')
}
