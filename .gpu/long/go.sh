mkdir -p /etc/OpenCL/vendors; echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd
cd .gpu/long; export LD_LIBRARY_PATH=$PWD:$LD_LIBRARY_PATH
gunzip -kf hp.fna.gz ec.fna.gz
./gpuhmm_b devices; nproc; grep -m1 "model name" /proc/cpuinfo
t() { local s=$(date +%s.%N); "$@" > /tmp/out.txt 2> /tmp/err.txt; local rc=$?; local e=$(date +%s.%N); echo "== rc $rc $(echo "$e - $s" | bc 2>/dev/null || python3 -c "print(round($e-$s,3))") s: $*"; grep -E "^(score|rescore|parse|engine)" /tmp/err.txt | tr '\n' ';'; echo; }
(time ./hmm2search --cpu 1 16S_ls.hmm hp.fna > /tmp/ref_hp.out) 2>&1 | grep -E "real|user" &
(time ./hmm2search --cpu 1 16S_ls.hmm ec.fna > /tmp/ref_ec.out) 2>&1 | grep -E "real|user" &
for r in 1 2 3; do
for f in hp ec; do for m in ls fs; do
t ./gpuhmm_b search --quiet --stats --device 0 --cpu 1 16S_$m.hmm $f.fna
t ./gpuhmm_b search --quiet --stats --device none --cpu 1 16S_$m.hmm $f.fna
done; done; done
echo "-- device alone, one sequence (before)"
t timeout 60 ./gpuhmm_a search --quiet --stats --device 0 --cpu 1 16S_ls.hmm hp.fna
t timeout 60 ./gpuhmm_a search --quiet --stats --device 0 --cpu 1 16S_fs.hmm hp.fna
t timeout 60 ./gpuhmm_a search --quiet --stats --device 0 --cpu 1 Pkinase_ls.hmm hp.fna
echo "-- batches"
gunzip -kf s.fa.gz; for i in 1 2 3 4 5 6; do cat s.fa; done > big.fa
for r in 1 2; do
t ./gpuhmm_b search --quiet --stats --noali --device 0 --cpu 16 Pkinase_ls.hmm big.fa
t ./gpuhmm_b search --quiet --stats --noali --device 0 --cpu 16 --batch-residues 268435456 Pkinase_ls.hmm big.fa
t ./gpuhmm_b search --quiet --stats --noali --device 0 --cpu 16 --batch-residues 33554432 Pkinase_ls.hmm big.fa
done
wait
./gpuhmm_b search --quiet --device 0 --cpu 1 16S_ls.hmm hp.fna | tail -n +6 > /tmp/a; tail -n +6 /tmp/ref_hp.out | cmp - /tmp/a && echo same hp
./gpuhmm_b search --quiet --device 0 --cpu 1 16S_ls.hmm ec.fna | tail -n +6 > /tmp/a; tail -n +6 /tmp/ref_ec.out | cmp - /tmp/a && echo same ec
cp /tmp/err.txt $OUT/ 2>/dev/null
