// Somebody else's program: verifies a bundle with Go's own checksum-database code, golang.org/x/mod/sumdb,
// and works provable dice out again. It knows no code of this project, only its formats.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type stored []tlog.Hash

func (s stored) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var found []tlog.Hash
	for _, at := range indexes {
		found = append(found, s[at])
	}
	return found, nil
}

func hashOf(line string) tlog.Hash {
	var hash tlog.Hash
	body, err := base64.StdEncoding.DecodeString(line)
	check(err)
	if len(body) != len(hash) {
		check(fmt.Errorf("%q is no hash", line))
	}
	copy(hash[:], body)
	return hash
}

func hashes(lines []string) []tlog.Hash {
	var found []tlog.Hash
	for _, line := range lines {
		found = append(found, hashOf(line))
	}
	return found
}

func number(word string) int64 {
	value, err := strconv.ParseInt(word, 10, 64)
	check(err)
	return value
}

// A signed head, opened with the campaign's key.
func head(written string, keys note.Verifiers) (int64, tlog.Hash) {
	opened, err := note.Open([]byte(written), keys)
	check(err)
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != opened.Sigs[0].Name {
		check(fmt.Errorf("%q is no head", opened.Text))
	}
	return number(lines[1]), hashOf(lines[2])
}

func members(file string) map[string][]byte {
	archive, err := zip.OpenReader(file)
	check(err)
	defer archive.Close()
	found := map[string][]byte{}
	for _, member := range archive.File {
		stream, err := member.Open()
		check(err)
		found[member.Name], err = io.ReadAll(stream)
		check(err)
		stream.Close()
	}
	return found
}

func bundle(file, vkey string) map[string]int {
	verifier, err := note.NewVerifier(vkey)
	check(err)
	keys := note.VerifierList(verifier)
	inside := members(file)
	var tree stored
	events := bytes.Split(bytes.TrimSuffix(inside["events.jsonl"], []byte("\n")), []byte("\n"))
	for at, event := range events {
		more, err := tlog.StoredHashesForRecordHash(int64(at), tlog.RecordHash(event), tree)
		check(err)
		tree = append(tree, more...)
	}
	roots, checked := map[int64]tlog.Hash{}, map[string]int{"events": len(events)}
	for _, line := range bytes.Split(bytes.TrimSpace(inside["signatures/notes.jsonl"]), []byte("\n")) {
		var row struct{ Kind, Note string }
		check(json.Unmarshal(line, &row))
		if row.Kind != "checkpoint" {
			continue
		}
		size, root := head(row.Note, keys)
		ours, err := tlog.TreeHash(size, tree)
		check(err)
		if ours != root {
			check(fmt.Errorf("the head over %d events is of another log", size))
		}
		roots[size] = root
		checked["heads"]++
	}
	for _, text := range strings.Split(string(inside["proofs/consistency.txt"]), "\n\n") {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		old, new := number(strings.TrimPrefix(lines[1], "old ")), number(strings.TrimPrefix(lines[2], "new "))
		check(tlog.CheckTree(hashes(lines[3:]), new, roots[new], old, roots[old]))
		checked["consistency"]++
	}
	for name, text := range inside {
		if !strings.HasSuffix(name, ".tlog-proof") {
			continue
		}
		path, signed, _ := strings.Cut(string(text), "\n\n")
		lines := strings.Split(path, "\n")
		index := number(strings.TrimPrefix(lines[1], "index "))
		size, root := head(signed, keys)
		check(tlog.CheckRecord(hashes(lines[2:]), size, root, index, tlog.RecordHash(events[index])))
		checked["events proved"]++
	}
	return checked
}

type given struct{ Who, Contribution, Commitment string }

type known struct {
	Campaign, Seed, Commitment string
	Session                    int
	Contributions              []given
	Rolls                      []struct {
		Contributions int
		Nonce         uint64
		Sides, Faces  []int
	}
}

func commitment(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

func packed(contributions []given) []byte {
	var out bytes.Buffer
	for _, one := range contributions {
		for _, text := range []string{one.Who, one.Contribution} {
			check(binary.Write(&out, binary.BigEndian, uint32(len(text))))
			out.WriteString(text)
		}
	}
	return out.Bytes()
}

func roll(seed, contributions []byte, nonce uint64, sides []int) []int {
	var faces []int
	var block []byte
	next := uint32(0)
	for len(faces) < len(sides) {
		if len(block) == 0 {
			stream := hmac.New(sha256.New, seed)
			stream.Write([]byte("tracker-dice/v1\x00"))
			check(binary.Write(stream, binary.BigEndian, uint32(len(contributions))))
			stream.Write(contributions)
			check(binary.Write(stream, binary.BigEndian, nonce))
			check(binary.Write(stream, binary.BigEndian, next))
			block, next = stream.Sum(nil), next+1
		}
		side, drawn := sides[len(faces)], int(block[0])
		block = block[1:]
		if drawn < 256-256%side {
			faces = append(faces, drawn%side+1)
		}
	}
	return faces
}

func dice(file string) map[string]int {
	var answers known
	body, err := os.ReadFile(file)
	check(err)
	check(json.Unmarshal(body, &answers))
	seed, err := hex.DecodeString(answers.Seed)
	check(err)
	session := strconv.Itoa(answers.Session)
	if commitment("tracker-dice/v1 seed", answers.Campaign, session, string(seed)) != answers.Commitment {
		check(fmt.Errorf("the seed is not the one that was committed to"))
	}
	for _, one := range answers.Contributions {
		ours := commitment("tracker-dice/v1 contribution", answers.Campaign, session, one.Who, one.Contribution)
		if ours != one.Commitment {
			check(fmt.Errorf("%s contributed something else", one.Who))
		}
	}
	counted := 0
	for _, one := range answers.Rolls {
		faces := roll(seed, packed(answers.Contributions[:one.Contributions]), one.Nonce, one.Sides)
		if fmt.Sprint(faces) != fmt.Sprint(one.Faces) {
			check(fmt.Errorf("request %d comes to %v", one.Nonce, faces))
		}
		counted += len(faces)
	}
	return map[string]int{"dice": counted}
}

func main() {
	answer := map[string]int{}
	if os.Args[1] == "dice" {
		answer = dice(os.Args[2])
	} else {
		answer = bundle(os.Args[2], os.Args[3])
	}
	check(json.NewEncoder(os.Stdout).Encode(answer))
}
