import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { WireContext, WireRequest } from '../../../src/contract/shapes/shapes.ts'
import { glossaryText } from '../../../src/engine/report/glossary.ts'
import { bytes, costText, count, counted, elapsed } from '../../../src/engine/report/numbers.ts'
import { sessionPath } from '../../api/api-client.ts'
import { useApp } from '../../hooks/app-context.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import type { PageSpent } from '../../hooks/use-spent.ts'
import type { PageRoute } from '../../state/page-route.ts'
import type { SessionData } from '../../state/session-feed.ts'
import { clock } from '../../text/times.ts'
import { visibleEnds, visibleLine } from '../../text/visible.ts'
import { Handle } from '../text.tsx'
import { FixedSizes } from './fixed-sizes.tsx'
import { endOfWorkTrigger } from './gauge.tsx'

const MOST_FILES = 40
/** Three lines of the column. */
const MOST_NAME = 96

/** The column next to the log while no entry is open: the largest items, the budget, the cost, the prompt and the tools, to-dos, files, and requests through a gateway. */
export function Overview(props: {
  data: SessionData
  spent: PageSpent | undefined
  route: PageRoute
  lastSeq: number
}) {
  const { data, spent, route, lastSeq } = props
  const { context, detail } = data
  const files = detail.files.toSorted((a, b) => b.seq - a.seq)
  return (
    <aside class="panel overview" aria-label="Overview">
      <Group title="Largest in the context">
        {context.largest.map((item) => (
          <li key={item.seq}>
            <Handle seq={item.seq} route={route} />
            <span class="grow mono small few-lines" title={visibleLine(item.name, 500)}>
              {visibleEnds(item.name, MOST_NAME)}
            </span>
            <span class="number">{count(item.tokens)}</span>
          </li>
        ))}
      </Group>
      <BudgetWords context={context} />
      {spent !== undefined && <Cost spent={spent} />}
      <FixedSizes id={detail.id} lastSeq={lastSeq} />
      <Group title="To-dos">
        {detail.todos.map((todo) => (
          <li key={todo.text} class={`todo ${todo.status}`}>
            <span class="tick" role="img" aria-label={todo.status} />
            <span class="grow">{visibleLine(todo.text)}</span>
          </li>
        ))}
      </Group>
      <Group title="Files">
        {files.slice(0, MOST_FILES).map((file) => (
          <li key={file.path}>
            <Handle seq={file.seq} route={route} />
            <Path path={file.path} />
            <span class={file.access === 'modified' ? 'tag' : 'tag soft'}>{file.access}</span>
          </li>
        ))}
        {files.length > MOST_FILES && <li class="soft">and {count(files.length - MOST_FILES)} more</li>}
      </Group>
      <Requests id={detail.id} lastSeq={lastSeq} />
      <ExportBox id={detail.id} />
    </aside>
  )
}

/** The cost of the session's calls. */
function Cost({ spent: { all: spent, cost } }: { spent: PageSpent }) {
  const rows: [string, string][] = [
    [counted(spent.calls, 'call'), costText(cost, { known: spent.known_cost })],
    ['Tokens in', count(spent.input_tokens)],
    ['… from the cache', count(spent.cache_read_tokens)],
    ['Tokens out', count(spent.output_tokens)],
  ]
  if (spent.compactions > 0 || spent.compaction_cost !== 0)
    rows.push([`In it: ${counted(spent.compactions, 'compaction')} made`, costText(spent.compaction_cost)])
  return (
    <Group title="Cost">
      {rows.map(([name, value]) => (
        <li key={name}>
          <span class="grow">{name}</span>
          <span class="number">{value}</span>
        </li>
      ))}
    </Group>
  )
}

/** A titled list; nothing when it is empty. */
function Group({ title, children }: { title: string; children: ComponentChildren }) {
  if (Array.isArray(children) && children.flat().filter(Boolean).length === 0) return null
  return (
    <section class="group">
      <h3>{title}</h3>
      <ul>{children}</ul>
    </section>
  )
}

/** A path. Its folders are cut if there is no room, but never the name of the file. */
function Path({ path }: { path: string }) {
  const shown = visibleLine(path, 500)
  const at = shown.lastIndexOf('/') + 1
  return (
    <span class="grow mono small path" title={shown}>
      {at > 0 && <span class="folders">{shown.slice(0, at)}</span>}
      <span class="name">{shown.slice(at)}</span>
    </span>
  )
}

const MOST_REQUESTS = 30

/** The session's requests through a gateway: bytes in and out, the reason, and the wait. Empty without a gateway. */
function Requests({ id, lastSeq }: { id: string; lastSeq: number }) {
  const path = sessionPath(id, '/requests')
  const { value: { requests } = { requests: [] } } = useLoaded<{ requests: WireRequest[] }>(path, { version: lastSeq })
  if (requests.length === 0) return null
  return (
    <section class="group requests" aria-label="Requests through the gateway">
      <h3>Requests through the gateway</h3>
      <ul>
        {requests
          .slice(-MOST_REQUESTS)
          .toReversed()
          .map((request) => (
            <li key={`${request.at} ${request.path}`}>
              <span class="number">{clock(request.at)}</span>
              <span class="grow">
                {bytes(request.bytes_in)} → {bytes(request.bytes_out)}
              </span>
              <span class={(request.status ?? 200) < 400 ? 'number' : 'number bad'}>
                {(request.status ?? 200) < 400 ? elapsed(request.own_ms, 1) : request.status}
              </span>
              <span class="why soft">
                {visibleLine(request.why, 200)}
                {request.input_tokens !== undefined &&
                  ` · ${count(request.input_tokens)} tokens, ${count(request.cached_tokens ?? 0)} cached`}
              </span>
            </li>
          ))}
        {requests.length > MOST_REQUESTS && <li class="soft">and {count(requests.length - MOST_REQUESTS)} before</li>}
      </ul>
    </section>
  )
}

/** The sizes of a context in everyday words, and their names in the settings and the docs. */
const SIZES = [
  { key: 'window', words: 'Fits into the model', name: 'context_window' },
  { key: 'trigger', words: 'Compacted by itself from', name: 'trigger_percent', of: 'trigger' },
  { key: 'end_of_work_trigger', words: '… at an end of work from', name: 'end_of_work_percent', of: 'end of work' },
  { key: 'target', words: 'Brought down to at most', name: 'target_percent', of: 'target' },
  { key: 'tail', words: 'Kept word for word', name: 'keep_tokens', of: 'tail' },
  { key: 'reserve', words: 'Left free for the answer', name: 'reserve_tokens' },
] as const

/** How much fits, when it is compacted, and how much stays; a tooltip has the word for it and the name of the setting. */
function BudgetWords({ context }: { context: WireContext }) {
  const endOfWork = endOfWorkTrigger(context)
  const budget = { ...context.budget, end_of_work_trigger: endOfWork }
  const sizes = SIZES.filter(({ key }) => key !== 'end_of_work_trigger' || endOfWork !== undefined)
  return (
    <section class="group">
      <h3>What fits, and what stays</h3>
      <ul>
        {sizes.map(({ key, words, name, ...more }) => (
          <li key={key} title={'of' in more ? `${glossaryText(more.of)} (${name})` : name}>
            <span class="grow">{words}</span>
            <span class="number">{sizeText(budget[key])}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function sizeText(tokens: number | undefined): string {
  return tokens === undefined ? 'not known' : `${count(tokens)} tokens`
}

/** The formats of an export: name, title, and ending of the file. */
const FORMATS = [
  ['pith', 'Pith, the whole log', 'jsonl'],
  ['claude-code', 'Claude Code', 'jsonl'],
  ['codex', 'Codex', 'jsonl'],
  ['pi', 'pi', 'jsonl'],
  ['markdown', 'Markdown', 'md'],
  ['ai-sdk', 'AI SDK messages', 'json'],
  ['openai-chat', 'OpenAI chat', 'json'],
  ['openai-responses', 'OpenAI Responses', 'json'],
  ['anthropic', 'Anthropic messages', 'json'],
] as const

/** Saves the session as a file in a format of the user's choice. */
function ExportBox({ id }: { id: string }) {
  const { client, notify } = useApp()
  const [format, setFormat] = useState('pith')
  const save = async () => {
    const file = await client.file(`/v1/sessions/${id}/export?format=${format}`)
    if (!file.ok) return notify(file.message, 'error')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file.value)
    link.download = `${id.slice(0, 8)}-${format}.${FORMATS.find(([name]) => name === format)?.[2] ?? 'txt'}`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <section class="group">
      <h3>Export</h3>
      <div class="actions">
        <select aria-label="Export format" value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
          {FORMATS.map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        <button type="button" onClick={() => void save()}>
          Save
        </button>
      </div>
    </section>
  )
}
