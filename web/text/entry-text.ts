import type { WireMessage, WirePlacedEntry } from '../../src/contract/shapes/shapes.ts'
import { changeText, originText } from '../../src/engine/report/change-text.ts'
import { callTarget } from '../../src/engine/report/item-names.ts'
import { count, counted } from '../../src/engine/report/numbers.ts'
import { grownText, reductionText } from '../../src/engine/report/outcome.ts'
import { beforeLogText, providerReductionText } from '../../src/engine/report/provider-context-text.ts'
import { sumOf } from '../../src/engine/report/tool-report.ts'
import type { ProviderReduction } from '../../src/model/types.ts'

/** One block of an entry: a label and its text. */
export type TextBlock = {
  readonly label: string
  readonly text: string
  /** The arguments of a call in a few words. */
  readonly brief?: string
  readonly tone?: 'error' | 'quiet'
}

type Loose = Readonly<Record<string, unknown>>

/** The blocks of an entry. Their texts come from strangers: show them as text, never as HTML. */
export function entryBlocks(entry: WirePlacedEntry): TextBlock[] {
  if (entry.type !== 'message') return [{ label: entry.type, text: effectText(entry) }]
  const reduced = reducedText(entry)
  const before: TextBlock[] = reduced === undefined ? [] : [{ label: 'provider', text: reduced, tone: 'quiet' }]
  return [...before, ...messageBlocks(messageOf(entry), entry.about)]
}

/** The reductions that the provider made by itself before an answer, as one text. */
function reducedText({ reduced }: WirePlacedEntry): string | undefined {
  return Array.isArray(reduced) ? providerReductionText(reduced as ProviderReduction[]) : undefined
}

/** The blocks of a message of the AI SDK. `about`: the subjects of the calls whose results it has. */
export function messageBlocks(message: WireMessage, about: WirePlacedEntry['about'] = {}): TextBlock[] {
  if (typeof message.content === 'string') return [{ label: message.role, text: message.content }]
  return message.content.map((part) => partBlock(part, message.role, about))
}

/** The speaker of an entry: the role of a message, or the type of any other entry. */
export function speakerOf(entry: WirePlacedEntry): string {
  return entry.type === 'message' ? messageOf(entry).role : entry.type
}

/** An entry as one text, for a line of the log. */
export function entryPreview(entry: WirePlacedEntry): string {
  if (entry.type !== 'message') return effectText(entry)
  const reduced = reducedText(entry)
  const said = messagePreview(messageOf(entry), entry.about)
  return reduced === undefined ? said : `[${reduced}]  ${said}`
}

/** A message as one text, its calls in a few words. */
export function messagePreview(message: WireMessage, about?: WirePlacedEntry['about']): string {
  const blocks = messageBlocks(message, about)
  return blocks
    .map(({ label, text, brief }) => (isCall(label) ? `${label} ${brief ?? head(text)}` : head(text)))
    .join('  ')
}

function messageOf(entry: WirePlacedEntry): WireMessage {
  const message = entry.message as WireMessage | undefined
  return message ?? { role: 'system', content: '' }
}

function partBlock(part: Loose & { type: string }, role: string, about: Loose): TextBlock {
  switch (part.type) {
    case 'text':
      return { label: role, text: textOf(part.text) }
    case 'reasoning':
      return { label: 'reasoning', text: textOf(part.text), tone: 'quiet' }
    case 'tool-call':
      return {
        label: `→ ${textOf(part.toolName)}`,
        text: argumentText(part.input),
        brief: head(callTarget(part.input)),
      }
    case 'tool-result':
      return resultBlock(part, textOf(about[textOf(part.toolCallId)] ?? ''))
    default:
      return { label: part.type, text: argumentText(withoutData(part)), tone: 'quiet' }
  }
}

function resultBlock(part: Loose, target: string): TextBlock {
  const output = (part.output ?? {}) as Loose
  const text = output.type === 'execution-denied' ? textOf(output.reason ?? 'Execution denied.') : textOf(output.value)
  const failed = textOf(output.type).startsWith('error') || output.type === 'execution-denied'
  const label = target === '' ? `← ${textOf(part.toolName)}` : `← ${textOf(part.toolName)} ${target}`
  return { label, text, ...(failed ? { tone: 'error' as const } : {}) }
}

/** Describes in one sentence the effect of an entry that is not a message. */
function effectText(entry: WirePlacedEntry): string {
  const field = (name: string) => entry[name] as number
  switch (entry.type) {
    case 'compaction':
      return `${reductionText({ messagesRemoved: field('messages') })} · ${sizesText(entry)}`
    case 'mask':
      return `${reductionText({ rung: 'mask', messagesRemoved: 0 })} · ${sizesText(entry)}`
    case 'squeeze':
      return `${reductionText({ rung: 'squeeze', messagesRemoved: 0 })}: ${counted((entry.squeezes as unknown[]).length, 'message')}${entry.tokens_after === undefined ? '' : ` · ${sizesText(entry)}`}`
    case 'edit':
    case 'undo':
      return changeText({ type: entry.type, of: field('of') })
    case 'redact':
      return changeText({ type: 'redact', target: field('target') })
    case 'pin':
      return changeText({
        type: 'pin',
        target: field('target'),
        on: entry.on === true,
        back: entry.back as number[] | undefined,
      })
    case 'leave-out':
      return changeText({
        type: 'leave-out',
        targets: (entry.targets as { from: number; up_to: number; calls?: string[] }[]).map(({ up_to, ...rest }) => ({
          ...rest,
          upTo: up_to,
        })),
        requestedBy: entry.requested_by === 'model' ? 'model' : 'user',
        what: entry.what as { tool?: string; file?: string } | undefined,
        waits: entry.waits === true ? true : undefined,
        tokensBefore: field('tokens_before'),
        tokensAfter: field('tokens_after'),
      })
    case 'put-back':
      return changeText({
        type: 'put-back',
        leaveOuts: entry.leave_outs as number[],
        tokensBefore: field('tokens_before'),
        tokensAfter: field('tokens_after'),
      })
    case 'attempt':
      return `Compaction ${textOf(entry.outcome)}: ${textOf(entry.reason)}`
    case 'void':
      return `An answer was not used: ${textOf(entry.reason)}`
    case 'repair':
      return changeText({ type: 'repair', changes: (entry.changes as unknown[]).length })
    case 'checkpoint':
      return checkpointText(entry.files as { path: string }[], entry.rewind as { to: number } | undefined)
    case 'todo':
      return (entry.items as { text: string; status: string }[])
        .map((item) => `[${item.status}] ${item.text}`)
        .join('\n')
    default:
      if (typeof entry.before_log === 'string') return beforeLogText(entry.before_log)
      if (Array.isArray(entry.tools) || Array.isArray(entry.prompt)) return fixedText(entry)
      if (isOrigin(entry.origin)) return originText(entry.origin)
      return isRequest(entry.compact) ? changeText({ type: 'compact-request', ...entry.compact }) : settingsText(entry)
  }
}

/** The parts of each request that another agent changed. */
function fixedText({ tools, prompt }: Loose): string {
  const texts = [
    ...(Array.isArray(tools) ? [toolsText(tools as { name: string; tokens: number }[])] : []),
    ...(Array.isArray(prompt)
      ? [`A system prompt of ${count(sumOf(prompt as { tokens: number }[]))} tokens in each request from here`]
      : []),
  ]
  return texts.join('\n')
}

function toolsText(tools: readonly { readonly name: string; readonly tokens: number }[]): string {
  const names = tools.map(({ name }) => name).join(', ')
  return `${counted(tools.length, 'tool')} in each request from here, ${count(sumOf(tools))} tokens: ${names}`
}

function isOrigin(value: unknown): value is { readonly agent: string; readonly version?: string } {
  return typeof value === 'object' && value !== null && 'agent' in value
}

function checkpointText(kept: readonly { path: string }[], rewind: { to: number } | undefined): string {
  const files = kept.map(({ path }) => path)
  if (rewind !== undefined) return changeText({ type: 'rewind', to: rewind.to, files })
  return `Kept before a change: ${files.join(', ')}`
}

function sizesText(entry: WirePlacedEntry): string {
  const [tokensBefore, tokensAfter] = [Number(entry.tokens_before), Number(entry.tokens_after)]
  return `${count(tokensBefore)} → ${count(tokensAfter)} tokens${grownText({ tokensBefore, tokensAfter })}`
}

function isRequest(compact: unknown): compact is { readonly focus?: string } {
  return typeof compact === 'object' && compact !== null
}

function settingsText({ id: _, seq: _seq, at: _at, type: _type, place: _place, ...settings }: WirePlacedEntry): string {
  return Object.keys(settings).length === 0 ? 'No setting was changed' : argumentText(settings)
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((item: Loose) => textOf(item.text ?? `[${textOf(item.type)}]`)).join('\n')
  return argumentText(value)
}

function argumentText(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}

/** Cuts long texts: nobody reads the bytes of images and files. */
function withoutData(part: Loose): Loose {
  const cut = (value: unknown) => (typeof value === 'string' && value.length > 500 ? `${value.slice(0, 80)}…` : value)
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, cut(value)]))
}

function isCall(label: string): boolean {
  return label.startsWith('→') || label.startsWith('←')
}

function head(text: string): string {
  return text.slice(0, 600)
}
