import type { ComponentChildren } from 'preact'
import { costText, count, counted } from '../../../src/engine/report/numbers.ts'
import type { PageSpent } from '../../hooks/use-spent.ts'
import type { SessionData } from '../../state/load-session.ts'
import type { PageRoute } from '../../state/page-route.ts'
import { visibleLine } from '../../text/visible.ts'
import { Handle } from '../handle.tsx'
import { BudgetWords } from './budget-words.tsx'
import { ExportBox } from './export-box.tsx'
import { Requests } from './requests.tsx'

const MOST_FILES = 40

/** The column beside the log while no entry is open: the largest items, the budget, to-dos, files, and requests through a gateway. */
export function Overview(props: {
  data: SessionData
  spent: PageSpent | undefined
  route: PageRoute
  lastSeq: number
}) {
  const { data, spent, route, lastSeq } = props
  const { context, detail } = data
  const { budget } = context
  const files = detail.files.toSorted((a, b) => b.seq - a.seq)
  return (
    <aside class="panel overview" aria-label="Overview">
      <Group title="Largest in the context">
        {context.largest.map((item) => (
          <li key={item.seq}>
            <Handle seq={item.seq} route={route} />
            <span class="grow mono small few-lines" title={visibleLine(item.name, 500)}>
              {visibleLine(item.name, 160)}
            </span>
            <span class="number">{count(item.tokens)}</span>
          </li>
        ))}
      </Group>
      <BudgetWords budget={budget} />
      {spent !== undefined && <Cost spent={spent} />}
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

/** What the calls of the session have cost. */
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

/** A path; its folders are cut off where there is no room, the name of the file never is. */
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
