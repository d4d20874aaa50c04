import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Format } from '../../formats/index.ts'

/** Where an agent keeps its sessions: folders, and which files under them are sessions of their own. */
export type AgentPlace = {
  readonly format: Format
  readonly folders: readonly string[]
  /** Looks at a path from its folder on, with `/`. */
  readonly isSession: (path: string) => boolean
  /** The session's id, as the path tells it. */
  readonly idOf: (path: string) => string
}

/** The places of all agents that write one file a session. Their own environment variables count. */
export function agentPlaces(env: NodeJS.ProcessEnv = process.env, home = env.HOME || homedir()): AgentPlace[] {
  const set = (name: string) => (env[name] === undefined || env[name] === '' ? undefined : env[name])
  const claude = set('CLAUDE_CONFIG_DIR')?.split(',') ?? [
    join(home, '.claude'),
    join(set('XDG_CONFIG_HOME') ?? join(home, '.config'), 'claude'),
  ]
  const codex = set('CODEX_HOME') ?? join(home, '.codex')
  const pi = set('PI_CODING_AGENT_DIR') ?? join(home, '.pi', 'agent')
  const copilot = set('COPILOT_HOME') ?? join(home, '.copilot')
  return [
    {
      format: 'claude-code',
      folders: claude.map((folder) => join(folder.trim(), 'projects')),
      // Sub-agents write files of their own beside the session that started them.
      isSession: (path) => /^[^/]+\/(?!agent-)[^/]+\.jsonl$/.test(path),
      idOf: baseName,
    },
    {
      format: 'codex',
      folders: [join(codex, 'sessions'), join(codex, 'archived_sessions')],
      isSession: (path) => /(?:^|\/)rollout-[^/]+\.jsonl?$/.test(path),
      idOf: (path) => /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(path)?.[0] ?? baseName(path),
    },
    {
      format: 'pi',
      folders: [join(pi, 'sessions')],
      isSession: (path) => path.endsWith('.jsonl'),
      idOf: (path) => baseName(path).replace(/^.*_/, ''),
    },
    {
      format: 'gemini',
      folders: [join(set('GEMINI_CLI_HOME') ?? home, '.gemini', 'tmp')],
      isSession: (path) => /^[^/]+\/chats\/session-[^/]+\.jsonl?$/.test(path),
      idOf: (path) => baseName(path).replace(/^session-/, ''),
    },
    {
      format: 'copilot',
      folders: [join(copilot, 'session-state')],
      isSession: (path) => /^[^/]+\.jsonl$|^[^/]+\/events\.jsonl$/.test(path),
      idOf: (path) => (path.includes('/') ? (path.split('/')[0] ?? path) : baseName(path)),
    },
  ]
}

function baseName(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.jsonl?$/, '')
}
