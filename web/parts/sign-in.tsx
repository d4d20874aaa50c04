import { useState } from 'preact/hooks'

/** Asks for the token when the address has none or the server refused it. */
export function SignIn({ refused, onToken }: { refused: string | undefined; onToken: (token: string) => void }) {
  const [text, setText] = useState('')
  return (
    <main class="sign-in">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== '') onToken(text.trim())
        }}
      >
        <h1>Pith</h1>
        <p>
          Open the address that <code>pith serve</code> printed: the token is in it. Or paste the token here.
        </p>
        {refused !== undefined && (
          <p class="bad" role="alert">
            {refused}
          </p>
        )}
        <label>
          Token
          <input
            type="password"
            autocomplete="off"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button class="primary" type="submit">
          Open
        </button>
      </form>
    </main>
  )
}
