#!/bin/bash
# Makes a root, an authority and a server's certificate: generate_chain.sh KIND FOLDER, where KIND is
# rsa (2048 bits throughout) or ec (P-256 throughout).
set -euo pipefail
kind=$1
cd "$2"

key() {
  if [[ $kind == rsa ]]; then
    openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$kind-$1.key"
  else
    openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$kind-$1.key"
  fi
}

issue() {
  local name=$1 subject=$2 issuer=$3 extensions=$4
  key "$name"
  openssl req -new -key "$kind-$name.key" -subj "$subject" -out "$kind-$name.csr"
  local signer=(-CA "$kind-$issuer.pem" -CAkey "$kind-$issuer.key" -CAcreateserial)
  if [[ $issuer == self ]]; then signer=(-signkey "$kind-$name.key"); fi
  openssl x509 -req -in "$kind-$name.csr" "${signer[@]}" -days 30 -sha256 \
    -extfile <(printf '%s\n' "subjectKeyIdentifier=hash" "$extensions") -out "$kind-$name.pem"
}

authority=$'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign'
issue root "/O=Bench/CN=Bench Root X1" self "$authority"
issue ca "/O=Bench/CN=Bench CA R3" root "$authority"
issue leaf "/CN=api.example.com" ca "$(printf '%s\n' 'subjectAltName=DNS:api.example.com,DNS:*.hosts.example.com' \
  'keyUsage=critical,digitalSignature' 'extendedKeyUsage=serverAuth' \
  'authorityKeyIdentifier=keyid')"
cat "$kind-leaf.pem" "$kind-ca.pem" > "$kind-chain.pem"
mv "$kind-leaf.key" "$kind-key.pem"
