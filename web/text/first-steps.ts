/** One way to get a first session: a command to copy, and what it does. */
export type FirstStep = { readonly title: string; readonly command: string; readonly says: string }

/** The owner of the sessions on the server's own machine. */
export const LOCAL_OWNER = 'local'

/**
 * The ways to get a first session, with the address of this server. The token is only ever named as a variable of the shell: the
 * web inspector does not know it.
 */
export function firstSteps({ origin, owner }: { readonly origin: string; readonly owner: string }): FirstStep[] {
  const auth = '-H "Authorization: Bearer $PITH_TOKEN"'
  const isLocal = owner === LOCAL_OWNER
  return [
    isLocal
      ? {
          title: 'Work with your agent',
          command: 'pith wrap claude',
          says: 'On the server’s machine. Also for codex, opencode, pi, gemini, copilot and qwen: the session appears here while the agent works.',
        }
      : {
          title: 'Work with your agent',
          command: `ANTHROPIC_BASE_URL="${origin}/gateway/$PITH_TOKEN/anthropic" claude`,
          says: 'Claude Code through this server’s gateway: the session appears here while the agent works. The agent keeps its own key for the provider.',
        },
    isLocal
      ? {
          title: 'Import a session',
          command: 'pith import example',
          says: 'The bundled example. Also a session file of any agent, or an id that pith sessions lists.',
        }
      : {
          title: 'Import a session',
          command: `curl "${origin}/v1/sessions/import" ${auth} -H 'Content-Type: application/x-ndjson' --data-binary @session.jsonl`,
          says: 'A session file of any agent. The button “Import…” above does the same.',
        },
    {
      title: 'Write one from a program',
      command: `curl "${origin}/v1/sessions" ${auth} -H 'Content-Type: application/json' -d '{"title":"The login","messages":[{"role":"user","content":"Why does the login hang?"}]}'`,
      says: 'Every route is explained at /docs.',
    },
  ]
}

/** A command that makes the token for the other commands, on the server's machine. Other owners have one: they signed in with it. */
export function tokenCommand(owner: string): string | undefined {
  return owner === LOCAL_OWNER ? 'export PITH_TOKEN=$(pith serve token add me --owner local)' : undefined
}
