# Files of tensors whose index or header is given, packed with the program linear, which has the
# tensors weight, float32[2, 3], and bias, float32[2].

W='"weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}'
B='"bias": {"dtype": "F32", "shape": [2], "data_offsets": [24, 32]}'
D=abcdefghijklmnopqrstuvwxABCDEFGH
linear=golden/2.13.0/linear/model.pt2
line='
'

# INDEX [DATA]
safetensors() {
    printf "\\$(printf %03o ${#1})\0\0\0\0\0\0\0%s" "$1$2" >s
    epref pack --tensors=s $linear -o out.pt2
}

# HEADER [DATA [VERSION]]
npy() {
    printf "\223NUMPY\\${3:-1}\0\\$(printf %03o ${#1})\0${3:+\0\0}%s" "$1$2" >files/weight.npy
    epref pack --tensors=files $linear -o out.pt2
}

# SHAPE [ORDER [DESCR]]
header() {
    echo "{'descr': ${3:-'<f4'}, 'fortran_order': ${2:-False}, 'shape': $1, }"
}

# The other tensor of a folder of files, and data for this one.
mkdir -p files
printf %s ABCDEFGH >files/bias.bin
D24=abcdefghijklmnopqrstuvwx
