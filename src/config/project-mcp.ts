import { join } from 'node:path'
import { z } from 'zod'
import { issueText } from '../model/problems/issue-text.ts'
import { jsonProblem } from '../model/problems/json-problem.ts'
import { problemOf } from '../model/problems/parse.ts'
import { type McpServerSettings, mcpName } from './mcp-settings.ts'
import { readUnasked } from './read-unasked.ts'
import { rememberAnswer, type TrustAnswer, trustAnswer } from './trust.ts'

/** The servers that a project names in its `.mcp.json`. They are programs of others: the user is asked once. */
export type ProjectMcp = {
  readonly file: string
  /** Not there, or not readable: `why`. */
  readonly servers: Readonly<Record<string, McpServerSettings>>
  /** Undefined until the user has answered for exactly this text. */
  readonly answer: TrustAnswer | undefined
  readonly why?: string
}

const serverSchema = z.looseObject({
  type: z.string().optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
})
const fileSchema = z.looseObject({ mcpServers: z.record(mcpName, serverSchema) })

/** The `.mcp.json` of a workspace; undefined when there is none. */
export function projectMcp(workspace: string, env: NodeJS.ProcessEnv): ProjectMcp | undefined {
  const file = join(workspace, '.mcp.json')
  const found = readUnasked(file, { inside: workspace })
  if (found.kind === 'missing') return undefined
  const none = { file, servers: {}, answer: undefined }
  if (found.kind === 'refused') return { ...none, why: `${file} is not read: ${found.why}` }
  const broken = jsonProblem(found.text)
  if (broken !== undefined)
    return { ...none, why: `${file}:${broken.line}:${broken.column} is not JSON: ${broken.text}` }
  const parsed = fileSchema.safeParse(JSON.parse(found.text), { error: issueText })
  if (!parsed.success) {
    const { path, text } = problemOf(parsed.error, () => [])
    return { ...none, why: `${file} is not read: ${[path.join('.'), text].filter((part) => part !== '').join(': ')}` }
  }
  const servers = Object.fromEntries(
    Object.entries(parsed.data.mcpServers).map(([name, server]) => [name, expanded(server, env)]),
  )
  return { file, servers, answer: trustAnswer(file, found.text, env) }
}

/** Remembers the user's answer to the file as it is now; a changed file is asked about again. */
export function answerProjectMcp(workspace: string, answer: TrustAnswer, env: NodeJS.ProcessEnv): void {
  const file = join(workspace, '.mcp.json')
  const found = readUnasked(file, { inside: workspace })
  if (found.kind === 'text') rememberAnswer(file, found.text, answer, env)
}

function expanded(server: z.infer<typeof serverSchema>, env: NodeJS.ProcessEnv): McpServerSettings {
  const { command, args, url } = server
  const text = (value: string) => withVariables(value, env)
  const table = (values: Readonly<Record<string, string>> | undefined) =>
    values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value)]))
  return {
    ...(command === undefined ? {} : { command: text(command) }),
    ...(args === undefined ? {} : { args: args.map(text) }),
    ...(url === undefined ? {} : { url: text(url) }),
    env: table(server.env),
    headers: table(server.headers),
  }
}

/** `${NAME}` and `${NAME:-otherwise}`, as other agents read this file. */
function withVariables(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (whole, name: string, otherwise?: string) => {
    return env[name] ?? otherwise ?? whole
  })
}
