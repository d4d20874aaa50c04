import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Asks for the token when the address has none or the server refused it. */
export function SignIn({ refused, onToken }: { refused: string | undefined; onToken: (token: string) => void }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
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
          Open the link that <code>pith serve</code> or <code>pith serve link</code> prints, or paste a token here.
        </p>
        {refused !== undefined && (
          <p class="bad" role="alert">
            {refused}
          </p>
        )}
        <label>
          Token
          <input
            ref={field}
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
