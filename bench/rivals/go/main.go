// go-trafilatura: JSON lines of pages in, JSON lines of content as HTML out; see ../extract.py for the rows.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	nurl "net/url"
	"os"
	"strings"
	"time"

	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"
)

type page struct {
	Url  string `json:"url"`
	Html string `json:"html"`
}

type row struct {
	Url   string  `json:"url"`
	Html  string  `json:"html"`
	Title string  `json:"title,omitempty"`
	Error string  `json:"error,omitempty"`
	CpuMs float64 `json:"cpuMs"`
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var one page
			if err := json.Unmarshal(line, &one); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			encoded, _ := json.Marshal(extract(one))
			out.Write(append(encoded, '\n'))
		}
		if err != nil {
			return
		}
	}
}

func extract(one page) (made row) {
	started := time.Now()
	made.Url = one.Url
	defer func() {
		if fault := recover(); fault != nil {
			made.Error = fmt.Sprint(fault)
		}
		made.CpuMs = float64(time.Since(started).Microseconds()) / 1000
	}()
	address, _ := nurl.Parse(one.Url)
	// the fallback is on in its command line, and its authors recommend it
	result, err := trafilatura.Extract(strings.NewReader(one.Html), trafilatura.Options{
		OriginalURL: address, EnableFallback: true, ExcludeComments: true,
	})
	if err != nil {
		made.Error = err.Error()
		return made
	}
	var content bytes.Buffer
	if result.ContentNode != nil {
		html.Render(&content, result.ContentNode)
	}
	made.Html = content.String()
	made.Title = result.Metadata.Title
	return made
}
