package main

import (
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const brokenPerObject = 50

// Objects with some of their bytes changed, and what Go says of them.
func broken() []sample {
	pod := &core.Pod{Spec: podSpec()}
	found := byHand(pod)
	for _, object := range []runtime.Object{objects()[0], pod, objects()[3], objects()[8]} {
		body := encode(object)
		unknown := runtime.Unknown{}
		if err := unknown.Unmarshal(body[4:]); err != nil {
			panic(err)
		}
		chance := uint32(len(body))
		for i := range brokenPerObject {
			name := fmt.Sprintf("%s %d", unknown.Kind, i)
			if i%10 == 0 {
				found = add(found, name, append([]byte("k8s\x00"), change(body[4:], i, &chance)...), object)
			} else {
				found = add(found, name, enveloped(unknown, change(unknown.Raw, i, &chance)), object)
			}
		}
	}
	return found
}

// What is wrong with JSON or with a kind is not protobuf's; a quantity keeps its form here.
func add(found []sample, name string, body []byte, like runtime.Object) []sample {
	text, err := decode(body, like)
	if err == nil && !utf8.Valid(text) {
		return found // within FieldsV1
	}
	if err == nil {
		return append(found, sample{Name: name, Body: body, JSON: text})
	}
	if strings.Contains(err.Error(), "json:") || strings.Contains(err.Error(), "no kind") {
		return found
	}
	return append(found, sample{Name: name, Body: body, Error: err.Error()})
}

func enveloped(unknown runtime.Unknown, raw []byte) []byte {
	unknown.Raw = raw
	body, err := unknown.Marshal()
	if err != nil {
		panic(err)
	}
	return append([]byte("k8s\x00"), body...)
}

// Mostly in place: what moves bytes is found out by the first length.
func change(raw []byte, i int, chance *uint32) []byte {
	draw := func(below int) int {
		*chance = *chance*1664525 + 1013904223
		return int(*chance>>8) % below
	}
	changed := append([]byte{}, raw...)
	if i%5 == 0 {
		return changed[:draw(len(changed))]
	}
	for range 1 + draw(3) {
		at := draw(len(changed))
		switch draw(5) {
		case 0:
			changed[at] = byte(draw(256))
		case 1, 2:
			changed[at] ^= 1 << draw(8)
		case 3:
			changed[at] = changed[draw(len(changed))]
		case 4:
			changed = append(changed[:at], append([]byte{byte(draw(8))<<3 | 2, 0}, changed[at:]...)...)
		}
	}
	return changed
}

// A Pod's raw bytes in hex, by what they show.
func byHand(pod runtime.Object) []sample {
	found := []sample{}
	for _, one := range []struct{ name, raw string }{
		{"the last of two names", "0a09" + "0a0161" + "120178" + "0a0162"},
		{"metadata in two parts", "0a03" + "0a0161" + "0a03" + "120178"},
		{"two parts of a label", "0a0a" + "5a080a01611203787878" + "0a09" + "5a070a016112027979"},
		{"a label without a value", "0a05" + "5a030a0161"},
		{"a label without anything", "0a02" + "5a00"},
		{"a label whose key has another wire type", "0a07" + "5a05080161" + "1200"},
		{"a label with an unknown field", "0a09" + "5a070a016118051200"},
		{"a label that reaches over its end", "0a07" + "5a020a03" + "980601"},
		{"packed numbers", "1208" + "7206" + "22040001e807"},
		{"packed and single numbers", "1209" + "7207" + "2005" + "22030102" + "03"},
		{"packed numbers cut short", "1205" + "7203" + "2201ff"},
		{"no packed numbers", "1204" + "7202" + "2200"},
		{"an unknown varint", "9806ffffffffffffffffff01"},
		{"an unknown varint that is too long", "9806ffffffffffffffffffff01"},
		{"eight unknown bytes", "99060102030405060708"},
		{"eight unknown bytes cut short", "990601020304"},
		{"four unknown bytes", "9d0601020304"},
		{"four unknown bytes cut short", "9d060102"},
		{"an unknown group", "9b06" + "0801" + "9b06" + "9c06" + "9c06"},
		{"a group that does not end", "9b06" + "0801"},
		{"a group's end", "9c06"},
		{"a group where a message should be", "0b0c"},
		{"a length that is negative", "0affffffffffffffffff01"},
		{"a length past any address", "0affffffffffffffff7f"},
		{"an unknown length that is negative", "9a06ffffffffffffffffff01"},
		{"a length past the end", "0a05" + "0a0161"},
		{"a tag of number 0", "0201"},
		{"a tag of a negative number", "f8ffffff7f01"},
		{"a flag that is two", "1202" + "5802"},
		{"a number over 32 bits", "1207" + "c801" + "8180808010"},
		{"a time of nothing", "0a02" + "4200"},
		{"a time and then nothing", "0a06" + "42020805" + "4200"},
		{"a time in two parts", "0a08" + "42020805" + "42021007"},
		{"a time of an unknown field", "0a04" + "42021801"},
		{"a time before the epoch", "0a0d" + "420b08ffffffffffffffffff01"},
		{"a quantity of nothing", "1205" + "8202020a00"},
		{"a quantity that is none", "120d" + "82020a" + "0a0161" + "1205" + "0a03317878"},
		{"a quantity of an unknown suffix", "120d" + "82020a" + "0a0161" + "1205" + "0a03316d6d"},
	} {
		raw, err := hex.DecodeString(one.raw)
		if err != nil {
			panic(one.name)
		}
		unknown := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: "Pod"}}
		found = add(found, one.name, enveloped(unknown, raw), pod)
	}
	for _, text := range []string{"", "k8s", "k8s\x00", "k8s\x01", "{\"kind\":\"Pod\"}"} {
		found = add(found, fmt.Sprintf("the body %q", text), []byte(text), pod)
	}
	return found
}
