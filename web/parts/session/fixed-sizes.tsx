import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { WirePrompt, WireTools } from '../../../src/contract/shapes/shapes.ts'
import { fromWire } from '../../../src/contract/shapes/wire.ts'
import { count } from '../../../src/engine/report/numbers.ts'
import { callsText, requestCostText, serverTitle, usedText } from '../../../src/engine/report/tool-report.ts'
import { sessionPath } from '../../api/api-client.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { visibleLine } from '../../text/visible.ts'
import { Text } from '../text.tsx'

/** The parts of each request besides the messages: the prompt by section and the tools by server, with their sizes. */
export function FixedSizes({ id, lastSeq }: { id: string; lastSeq: number }) {
  return (
    <>
      <Prompt path={sessionPath(id, '/prompt')} lastSeq={lastSeq} />
      <Tools path={sessionPath(id, '/tools')} lastSeq={lastSeq} />
    </>
  )
}

type Props = { path: string; lastSeq: number }

const PARTS = { system: '', instructions: 'instructions', memory: 'memory' } as const

function Prompt({ path, lastSeq }: Props) {
  const { value: prompt } = useLoaded<WirePrompt>(path, { version: lastSeq })
  if (prompt === undefined || prompt.sections.length === 0) return null
  return (
    <section class="group tools" aria-label="System prompt in each request">
      <h3>System prompt in each request</h3>
      <Sum {...prompt} />
      <ul>
        {prompt.sections.map((section, i) => (
          <Part
            key={`${i} ${section.title}`}
            part={section}
            name={section.title}
            textOf={prompt.has_texts ? () => <PromptText path={path} at={i} /> : undefined}
          >
            {PARTS[section.part] !== '' && <span class="tag soft">{PARTS[section.part]}</span>}
          </Part>
        ))}
      </ul>
      {!prompt.has_texts && <p class="soft small">Only the sizes are known here.</p>}
    </section>
  )
}

/** The definitions of tools in each request, by server: tokens, cost, and which were never used. */
function Tools({ path, lastSeq }: Props) {
  const { value: tools } = useLoaded<WireTools>(path, { version: lastSeq })
  if (tools === undefined || tools.servers.length === 0) return null
  return (
    <section class="group tools" aria-label="Tools in each request">
      <h3>Tools in each request</h3>
      <Sum {...tools} />
      {tools.servers.map((server) => (
        <details key={server.server ?? ''}>
          <summary>
            <span class="grow">{visibleLine(serverTitle(server), 60)}</span>
            <span class="soft">{usedText(server)}</span>
            <Tokens {...server} />
          </summary>
          <ul>
            {server.tools.map((tool) => (
              <Part
                key={tool.name}
                part={tool}
                name={tool.name}
                textOf={tools.has_texts ? () => <ToolText path={path} name={tool.name} /> : undefined}
              >
                <span class={tool.calls === 0 ? 'tag soft' : 'tag'}>{callsText(tool)}</span>
              </Part>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}

type Sized = Pick<WireTools, 'tokens' | 'cost' | 'cached_cost'>

function Sum(sent: Sized) {
  return (
    <ul>
      <li>
        <span class="grow">All</span>
        <span class="soft">{requestCostText(fromWire(sent))}</span>
        <span class="number">{count(sent.tokens)}</span>
      </li>
    </ul>
  )
}

type PartProps = {
  part: Sized
  name: string
  textOf: (() => ComponentChildren) | undefined
  children: ComponentChildren
}

/** A section or a tool. If its text is known, it can be opened, and the text is loaded then. */
function Part({ part, name, textOf, children }: PartProps) {
  const [isOpen, setOpen] = useState(false)
  const line = (
    <>
      <span class="grow mono small">{visibleLine(name, 100)}</span>
      {children}
      <Tokens {...part} />
    </>
  )
  if (textOf === undefined) return <li>{line}</li>
  return (
    <li class="whole">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{line}</summary>
        {isOpen && textOf()}
      </details>
    </li>
  )
}

function PromptText({ path, at }: { path: string; at: number }) {
  const { value, failure } = useLoaded<WirePrompt>(`${path}?texts=true`, { version: 0 })
  return <Loaded text={value?.sections[at]?.text} isLoaded={value !== undefined} failure={failure?.message} />
}

function ToolText({ path, name }: { path: string; name: string }) {
  const { value, failure } = useLoaded<WireTools>(`${path}?texts=true`, { version: 0 })
  const tools = value?.servers.flatMap((server) => server.tools)
  return (
    <Loaded
      text={tools?.find((tool) => tool.name === name)?.text}
      isLoaded={value !== undefined}
      failure={failure?.message}
    />
  )
}

function Loaded(props: { text: string | undefined; isLoaded: boolean; failure: string | undefined }) {
  if (props.failure !== undefined) return <p class="bad">{props.failure}</p>
  if (props.text !== undefined) return <Text text={props.text} class="small mono" />
  return <p class="soft">{props.isLoaded ? 'The text is not known.' : 'Loading…'}</p>
}

/** The tokens of a part, with their cost in each request as a tooltip. */
function Tokens(sent: Sized) {
  const cost = requestCostText(fromWire(sent))
  return (
    <span class="number" title={cost === '' ? undefined : `${cost} in each request`}>
      {count(sent.tokens)}
    </span>
  )
}
