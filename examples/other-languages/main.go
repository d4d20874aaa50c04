// Pith from Go: the calls that an agent needs, with the standard library alone (Go 1.18 or later).
//
// Start a server (`pith serve`, which prints its address), make a token (`pith serve token add go`), and run:
// PITH_URL=http://127.0.0.1:7484 PITH_TOKEN=... go run main.go
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// Pith is a server. Shape is the form of your messages: openai, openai-responses, anthropic or ai-sdk.
type Pith struct {
	URL, Token, Shape string
	HTTP              http.Client
}

// Call sends a request to any route of docs/http.md and reads the answer into out.
func (p *Pith) Call(method, path string, body, out any) error {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, strings.TrimRight(p.URL, "/")+path, sent)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+p.Token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := p.HTTP.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		var refused struct {
			Error struct{ Code, Message string }
		}
		if json.NewDecoder(answer.Body).Decode(&refused) != nil || refused.Error.Code == "" {
			return fmt.Errorf("%s answered %s: not a Pith server?", p.URL, answer.Status)
		}
		return fmt.Errorf("%s: %s", refused.Error.Code, refused.Error.Message)
	}
	return json.NewDecoder(answer.Body).Decode(out)
}

// Append adds messages of the conversation, in the shape of your SDK.
func (p *Pith) Append(session string, messages ...any) error {
	var stored struct{ Seqs []int }
	return p.Call("POST", session+"/messages", map[string]any{"shape": p.Shape, "items": messages}, &stored)
}

// Fit compacts if it is due, and returns the messages to send to the model now.
func (p *Pith) Fit(session string) ([]json.RawMessage, error) {
	var result struct{ Compacted bool }
	if err := p.Call("POST", session+"/compact", map[string]any{"when": "due"}, &result); err != nil {
		return nil, err
	}
	var view struct{ Messages []json.RawMessage }
	err := p.Call("GET", session+"/view?shape="+p.Shape, nil, &view)
	return view.Messages, err
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func run() error {
	pith := &Pith{os.Getenv("PITH_URL"), os.Getenv("PITH_TOKEN"), "openai", http.Client{Timeout: 5 * time.Minute}}
	var made struct{ ID string }
	settings := map[string]any{"title": "from Go", "policy": map[string]any{"model_auto_compact_token_limit": 3000}}
	if err := pith.Call("POST", "/v1/sessions", settings, &made); err != nil {
		return err
	}
	session := "/v1/sessions/" + url.PathEscape(made.ID)
	most := 0
	for page := 1; page <= 15; page++ {
		said := strings.Repeat(fmt.Sprintf("heron%d nests here. ", page), 60)
		if err := pith.Append(session, message{"user", fmt.Sprintf("Page %d: %s", page, said)}); err != nil {
			return err
		}
		messages, err := pith.Fit(session) // what your program sends to its model
		if err != nil {
			return err
		}
		if len(messages) > most {
			most = len(messages)
		}
		answer := fmt.Sprintf("Page %d is about heron%d.", page, page)
		if err := pith.Append(session, message{"assistant", answer}); err != nil {
			return err
		}
	}
	var found struct{ Hits []struct{ Seq int } }
	if err := pith.Call("GET", session+"/recall?q="+url.QueryEscape("heron3 nests"), nil, &found); err != nil {
		return err
	}
	if len(found.Hits) == 0 {
		return fmt.Errorf("recall found nothing")
	}
	fmt.Printf("30 messages are stored, at most %d were sent; recall found #%d\n", most, found.Hits[0].Seq)
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "pith:", err)
		os.Exit(1)
	}
}
