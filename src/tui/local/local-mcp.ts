import { toolSchemas } from '../../agent/agent.ts'
import { configuredMcp, startedMcp } from '../../agent/mcp/configured-mcp.ts'
import type { McpPlace, McpState } from '../../agent/mcp/mcp-connection.ts'
import type { McpServerReport, McpServers } from '../../agent/mcp/mcp-servers.ts'
import { answerProjectMcp, type ProjectMcp, projectMcp } from '../../config/places/project-mcp.ts'
import { fixedTotal } from '../../tokens/estimate/estimator.ts'
import type { McpPort, McpRow, PortEvent } from '../port/port.ts'
import { safeText } from '../port/safe-text.ts'
import { refusal } from '../port/shared.ts'
import type { LocalSessions, LocalSetup } from './local-sessions.ts'
import type { OpenQuestions } from './open-questions.ts'

export type McpDeps = {
  readonly setup: LocalSetup
  readonly sessions: LocalSessions
  readonly questions: OpenQuestions
  readonly emit: (event: PortEvent) => void
}

/** The MCP servers of the terminal on this machine. They start in the background, and their tools are available from the next turn on. */
export class LocalMcp implements McpPort {
  readonly #deps: McpDeps
  #project: ProjectMcp | undefined
  /** Servers whose failure was reported. /mcp shows it again. */
  readonly #reported = new Set<string>()
  #servers: McpServers | undefined
  #starting: Promise<void> = Promise.resolve()

  constructor(deps: McpDeps) {
    this.#deps = deps
    this.#project = this.#readProject()
  }

  /** Starts the servers, and asks about those of the project if the user has not answered yet. */
  start(): void {
    const { config, mcp } = this.#deps.setup
    const settings = { mcp: { ...mcp, ...config.settings.mcp } }
    const project = this.#project
    if (project?.why !== undefined) this.#deps.emit({ type: 'notice', text: safeText(project.why), tone: 'error' })
    this.#starting = configuredMcp({ settings, project, place: this.#place }).then((servers) => {
      this.#servers = servers
    })
    void this.#starting.then(() => this.#reportStarted())
    if (project !== undefined && project.answer === undefined && project.asked.length > 0) void this.#ask(project)
  }

  /** Gives the agent all available tools. Waits for servers that are starting, but only for a few seconds. */
  async equip(signal: AbortSignal): Promise<void> {
    await this.#starting
    if (this.#servers === undefined) return
    await this.#servers.ready(signal)
    this.#setTools()
  }

  readonly mcp: McpPort['mcp'] = async () => {
    const reports = this.#servers?.reports ?? []
    const known = new Set(reports.map(({ name }) => name))
    const waiting = Object.keys(this.#project?.servers ?? {}).filter((name) => !known.has(name))
    return {
      servers: [
        ...reports.map((report) => this.#rowOf(report)),
        ...waiting.map((name): McpRow => ({ name, state: 'off', why: NOT_TRUSTED, tokens: 0, tools: [] })),
      ],
    }
  }

  readonly trustMcp: McpPort['trustMcp'] = async () => {
    this.#project = this.#readProject()
    if (this.#project?.why !== undefined) return refusal(safeText(this.#project.why))
    if (this.#project === undefined || this.#project.asked.length === 0) return refusal('This project has no .mcp.json')
    void this.#ask(this.#project)
    return { ok: true, text: '' }
  }

  async close(): Promise<void> {
    await this.#starting.catch(() => undefined)
    await this.#servers?.close()
  }

  #readProject(): ProjectMcp | undefined {
    const { config, env } = this.#deps.setup
    return projectMcp(config.workspace, env)
  }

  get #place(): McpPlace {
    const { version } = this.#deps.setup
    const { workspace, env } = this.#deps.sessions.current.agent.deps
    return { workspace, env, version }
  }

  async #ask(project: ProjectMcp): Promise<void> {
    const { setup, questions } = this.#deps
    const answer = await questions.askTrust(project)
    if (answer === undefined) return
    answerProjectMcp(project, answer, setup.env)
    if (answer === 'refused') return
    await this.#starting
    this.#servers ??= await startedMcp(this.#place, {})
    this.#servers.add(project.servers)
    await this.#reportStarted()
  }

  /** Reports the servers that failed, and the status of the context with the tools of the others. */
  async #reportStarted(): Promise<void> {
    if (this.#servers === undefined) return
    await this.#servers.ready(new AbortController().signal)
    this.#setTools()
    const { emit, sessions } = this.#deps
    for (const { name, state } of this.#servers.reports) {
      if (state.kind !== 'failed' || this.#reported.has(name)) continue
      this.#reported.add(name)
      emit({ type: 'notice', text: `MCP server ${name}: ${safeText(state.why)}`, tone: 'error' })
    }
    emit(sessions.status())
  }

  #setTools(): void {
    const { agent } = this.#deps.sessions.current
    agent.setTools([...agent.deps.tools, ...(this.#servers?.tools ?? [])])
  }

  #rowOf({ name, state, tools }: McpServerReport): McpRow {
    const { agent } = this.#deps.sessions.current
    const { estimator } = agent.context()
    return {
      name,
      state: state.kind,
      why: whyOf(state),
      tokens: tools.length === 0 ? 0 : fixedTotal({ tools: toolSchemas(tools) }, estimator),
      tools: tools.map((tool) => ({ name: tool.name, about: safeText(tool.description.split('\n', 1)[0] ?? '') })),
    }
  }
}

const NOT_TRUSTED = 'named in .mcp.json, not trusted: /mcp trust'

function whyOf(state: McpState): string | undefined {
  return state.kind === 'failed' ? safeText(state.why) : undefined
}
