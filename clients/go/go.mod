module plimsoll

go 1.24
