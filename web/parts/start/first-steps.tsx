import { useApp } from '../../hooks/app-context.ts'
import { copyText } from '../../state/copy-text.ts'
import { firstSteps, tokenCommand } from '../../text/first-steps.ts'

/** The start screen without any session: three ways to get a first one, each with a command to copy. */
export function FirstSteps() {
  const { owner, mayWrite } = useApp()
  if (!mayWrite)
    return <p class="empty">No sessions yet. They appear here as soon as an agent or a program writes one.</p>
  const forToken = tokenCommand(owner)
  return (
    <section class="first-steps" aria-label="First steps">
      <h2>Nothing here yet</h2>
      <p class="soft">Sessions appear here as soon as an agent or a program writes one. Three ways to begin:</p>
      <ol>
        {firstSteps({ origin: location.origin, owner }).map(({ title, command, says }) => (
          <li key={title} class="card">
            <h3>{title}</h3>
            <Command name={title} command={command} />
            <p class="soft small">{says}</p>
          </li>
        ))}
      </ol>
      {forToken === undefined ? (
        <p class="soft small">
          <code>$PITH_TOKEN</code> is your token, the one that you signed in with.
        </p>
      ) : (
        <div class="soft small">
          <p>
            <code>$PITH_TOKEN</code> is a token. This makes one, on the server’s machine:
          </p>
          <Command name="Access for curl" command={forToken} />
        </div>
      )}
    </section>
  )
}

function Command({ name, command }: { name: string; command: string }) {
  const { notify } = useApp()
  const copy = async () =>
    (await copyText(command)) ? notify('The command is on the clipboard') : notify('Select and copy it', 'error')
  return (
    <div class="command">
      <code class="mono">{command}</code>
      <button type="button" aria-label={`Copy: ${name}`} onClick={() => void copy()}>
        Copy
      </button>
    </div>
  )
}
