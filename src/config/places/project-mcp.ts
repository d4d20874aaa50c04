import { join } from 'node:path'
import { z } from 'zod'
import { issueText } from '../../model/problems/issue-text.ts'
import { jsonProblem } from '../../model/problems/json-problem.ts'
import { problemOf } from '../../model/problems/parse.ts'
import { readUnasked } from '../read/read-unasked.ts'
import { variablesIn, withVariables } from '../read/variables-in-text.ts'
import { type McpServerSettings, mcpName } from '../tables/mcp-settings.ts'
import { type AskedServer, askedServer } from './asked-server.ts'
import { rememberAnswer, type TrustAnswer, trustAnswer } from './trust.ts'

/** The servers that a project names in its `.mcp.json`. They are programs of others: the user is asked once. */
export type ProjectMcp = {
  readonly file: string
  /** The text of the file: command, arguments, environment, headers and address of each server. An answer is for this text only. */
  readonly text: string
  /** Not there, or not readable: `why`. */
  readonly servers: Readonly<Record<string, McpServerSettings>>
  /** The same servers for the question, without the values of variables. */
  readonly asked: readonly AskedServer[]
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
/** A server as the file has it, its variables not replaced. */
type ProjectServer = z.infer<typeof serverSchema>

const fileSchema = z.looseObject({ mcpServers: z.record(mcpName, serverSchema) })

/** The `.mcp.json` of a workspace; undefined when there is none. */
export function projectMcp(workspace: string, env: NodeJS.ProcessEnv): ProjectMcp | undefined {
  const file = join(workspace, '.mcp.json')
  const found = readUnasked(file, { inside: workspace })
  if (found.kind === 'missing') return undefined
  const none = { file, text: '', servers: {}, asked: [], answer: undefined }
  if (found.kind === 'refused') return { ...none, why: `${file} is not read: ${found.why}` }
  const broken = jsonProblem(found.text)
  if (broken !== undefined)
    return { ...none, why: `${file}:${broken.line}:${broken.column} is not JSON: ${broken.text}` }
  const parsed = fileSchema.safeParse(JSON.parse(found.text), { error: issueText })
  if (!parsed.success) {
    const { path, text } = problemOf(parsed.error, () => [])
    return { ...none, why: `${file} is not read: ${[path.join('.'), text].filter((part) => part !== '').join(': ')}` }
  }
  const named = Object.entries(parsed.data.mcpServers)
  return {
    file,
    text: found.text,
    servers: Object.fromEntries(named.map(([name, server]) => [name, expanded(server, env)])),
    asked: named.map(([name, server]) => askedServer(name, server, { workspace, env })),
    answer: trustAnswer(file, found.text, env),
  }
}

/** Remembers the user's answer to the text that they were shown; the file may have changed since, and is asked about again. */
export function answerProjectMcp(
  { file, text }: Pick<ProjectMcp, 'file' | 'text'>,
  answer: TrustAnswer,
  env: NodeJS.ProcessEnv,
): void {
  rememberAnswer(file, text, answer, env)
}

function expanded(server: ProjectServer, env: NodeJS.ProcessEnv): McpServerSettings {
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
    fromEnvironment: valuesFrom(server, env),
  }
}

/** The variables that the server takes from the user's environment, with their values. */
function valuesFrom(
  { command = '', args = [], url = '', env: set = {}, headers = {} }: ProjectServer,
  env: NodeJS.ProcessEnv,
) {
  const texts = [command, ...args, url, ...Object.values(set), ...Object.values(headers)]
  const names = texts.flatMap(variablesIn).map(({ name }) => name)
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
